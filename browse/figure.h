/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A figure of what the browser shows. */
#ifndef BROWSE_FIGURE_H
#define BROWSE_FIGURE_H

#include <stdbool.h>

#include "base/attr.h"

struct diag;
struct opened;
struct operation;

/* The histogram of one operation, as `osprof plot` draws it, in a new file, and
 * its gnuplot script in another one with the same name and .gp. */
MUST_CHECK bool browse_figure(const struct opened *o, const struct operation *op, const char *path,
			      struct diag *diag);

#endif
