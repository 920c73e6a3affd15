/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the browser reads a second time, for views that need more than profiles. */
#ifndef BROWSE_AGAIN_H
#define BROWSE_AGAIN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"

struct diag;
struct settings;

/* Operands of the side before; 0: there is one side. */
size_t browse_n_before(const struct settings *s);
/* False, with an error reported, where standard input is among these n operands. */
MUST_CHECK bool browse_may_read_again(const struct settings *s, size_t first, size_t n,
				      struct diag *diag);

#endif
