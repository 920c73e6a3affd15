/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes figures of what the browser shows. */
#ifndef BROWSE_FIGURE_H
#define BROWSE_FIGURE_H

#include <stdbool.h>

#include "base/attr.h"

struct diag;
struct opened;
struct operation;

/* Draws the histogram of one operation, as `osprof plot` does, to a new file, and
 * writes its gnuplot script to another one with the same name and .gp. */
MUST_CHECK bool browse_figure(const struct opened *o, const struct operation *op, const char *path,
			      struct diag *diag);

#endif
