/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Trees of calls for the browser, read when somebody asks for an operation's causes, and which
 * operations are worth asking about. */
#ifndef BROWSE_CAUSES_H
#define BROWSE_CAUSES_H

#include "base/attr.h"
#include "tui/study.h"

struct call_tree;
struct diag;
struct profile;
struct settings;

/* The trees of the calls of an operation, of the run (or the one after), and of the one
 * before; *ret_before NULL: there is none. */
MUST_CHECK bool browse_trees(const struct settings *s, const struct item *i, struct call_tree **ret,
			     struct call_tree **ret_before, struct diag *diag);
/* The run (or the one after) with histograms as causes have them; the caller frees it.  NULL: it
 * has no trees, or cannot be read again. */
struct profile *browse_functions(const struct settings *s);

#endif
