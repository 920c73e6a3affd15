/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads call trees when the user asks for the causes of an operation, and finds which operations
 * have them. */
#ifndef BROWSE_CAUSES_H
#define BROWSE_CAUSES_H

#include "base/attr.h"
#include "tui/studies/study.h"

struct call_tree;
struct diag;
struct profile;
struct settings;

/* Loads the call trees of an operation: of the only run or the `after` side, and of the `before`
 * side (*ret_before NULL: there is none). */
MUST_CHECK bool browse_trees(const struct settings *s, const struct item *i, struct call_tree **ret,
			     struct call_tree **ret_before, struct diag *diag);
/* Returns the only run or the `after` side as a profile of the functions in its call trees; the
 * caller frees it.  NULL: it has no trees, or cannot be read again. */
struct profile *browse_functions(const struct settings *s);

#endif
