/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Figures as files, each with its script beside it: x.gp for x.png.
 *
 * A figure is written atomically. Its script stays when gnuplot is missing or
 * fails, so that there is something to look at.
 */
#ifndef FIGURES_FIGURES_H
#define FIGURES_FIGURES_H

#include "base/attr.h"
#include "plotting/figure.h"
#include "plotting/terminal.h"

struct arena;
struct diag;
struct operation;
struct out;
struct plotted;

/* Where figures go and how they look. */
struct figure_target {
	const char *path; /* of a single figure; NULL or "-": standard output */
	struct look look;
	bool force;
	struct out *standard; /* standard output, for a path of "-" */
	size_t at_once;	      /* processes at most */
};

/* A figure and the file that it becomes; borrowed. */
struct figure_file {
	const char *path; /* NULL or "-": standard output, and no script */
	const struct figure *figure;
};

/* Draws n figures, several at the same time.  False, having said why, when one of them
 * is not there. */
MUST_CHECK bool figures_write(const struct figure_target *target, const struct figure_file *file,
			      size_t n, struct diag *diag);

/* The suffix's terminal: NULL, having said why, when there is none. ".gp" is a script
 * alone, for PNG. */
const struct terminal *figure_terminal_for(const char *path, struct diag *diag);

/* The histogram of one operation of loaded runs, before and after where they are compared,
 * as `osprof plot` draws it: for programs that have something loaded. */
MUST_CHECK bool figure_of_operation(struct plotted *p, const struct operation *op, const char *path,
				    bool force, struct diag *diag);

#endif
