/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is recorded of the calls of a run that is browsed. */
#ifndef BROWSE_VALUES_H
#define BROWSE_VALUES_H

#include <stdbool.h>

#include "base/attr.h"

struct diag;
struct settings;
struct value_study;

/* Reads the run, of two the one after, for the values of all its operations; false when an error
 * was reported, *ret untouched. */
MUST_CHECK bool browse_values(const struct settings *s, struct value_study **ret,
			      struct diag *diag);

#endif
