/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A figure as a script for gnuplot, 5.4 or later: one file with its data in it.
 *
 * Only text is made here.  The same figure gives the same bytes.
 */
#ifndef PLOTTING_GNUPLOT_H
#define PLOTTING_GNUPLOT_H

#include "plotting/figure.h"
#include "plotting/terminal.h"

struct out;

/* `output` is the file that the script writes; empty: standard output, on lines of the
 * same numbers. */
void gnuplot_script(struct out *o, const struct figure *f, const struct look *look,
		    struct str output);

#endif
