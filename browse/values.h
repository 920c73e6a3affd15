/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads the values that are recorded with the calls of a run. */
#ifndef BROWSE_VALUES_H
#define BROWSE_VALUES_H

#include <stdbool.h>

#include "base/attr.h"

struct diag;
struct settings;
struct value_study;

/* Reads the only run or the `after` side again, for the values of all its operations.  When an
 * error was reported, returns false and leaves *ret alone. */
MUST_CHECK bool browse_values(const struct settings *s, struct value_study **ret,
			      struct diag *diag);

#endif
