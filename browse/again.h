/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading runs a second time, for views that need more than profiles. */
#ifndef BROWSE_AGAIN_H
#define BROWSE_AGAIN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"

struct diag;
struct settings;

/* Returns the number of operands of the `before` side; 0: there is only one side. */
size_t browse_n_before(const struct settings *s);
/* Reports an error and returns false if standard input is among these n operands. */
MUST_CHECK bool browse_may_read_again(const struct settings *s, size_t first, size_t n,
				      struct diag *diag);

#endif
