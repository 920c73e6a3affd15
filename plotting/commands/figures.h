/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes figures to files, each with its script next to it: x.gp for x.png.
 *
 * Figures are written atomically.  The script is kept when gnuplot is missing or fails, so that
 * the user can run it.
 */
#ifndef PLOTTING_COMMANDS_FIGURES_H
#define PLOTTING_COMMANDS_FIGURES_H

#include "base/attr.h"
#include "plotting/figure.h"
#include "plotting/terminal.h"

struct arena;
struct diag;
struct operation;
struct out;
struct plotted;

/* The destination and the look of figures. */
struct figure_target {
	const char *path; /* path of a single figure; NULL or "-": standard output */
	struct look look;
	bool force;
	struct out *standard; /* standard output, for a path of "-" */
	size_t at_once;	      /* maximum number of processes */
};

/* A figure and its file; borrowed. */
struct figure_file {
	const char *path; /* NULL or "-": standard output, and no script */
	const struct figure *figure;
};

/* Draws n figures, several at the same time.  False, after reporting an error, when one failed. */
MUST_CHECK bool figures_write(const struct figure_target *target, const struct figure_file *file,
			      size_t n, struct diag *diag);

/* Returns the terminal for the suffix of a path; NULL, after reporting an error, when there is
 * none.  ".gp" stands for PNG, of which only the script is written. */
const struct terminal *figure_terminal_for(const char *path, struct diag *diag);

/* Draws the histogram of one operation of loaded runs, of both sides if they are compared, as
 * `osprof plot` does. */
MUST_CHECK bool figure_of_operation(struct plotted *p, const struct operation *op, const char *path,
				    bool force, struct diag *diag);

#endif
