/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A figure as a script for gnuplot 5.4 or later: one file that includes the data.
 *
 * This file only generates text; it does not run gnuplot.  The same figure gives the same bytes.
 */
#ifndef PLOTTING_GNUPLOT_H
#define PLOTTING_GNUPLOT_H

#include "plotting/figure.h"
#include "plotting/terminal.h"

struct out;

/* Writes the script.  `output` is the file that the script will write; empty: standard output.
 * Line numbers do not depend on `output`. */
void gnuplot_script(struct out *o, const struct figure *f, const struct look *look,
		    struct str output);

#endif
