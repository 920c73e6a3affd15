/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs gnuplot on scripts.  The only file that starts another program.
 *
 * Script, figure and messages go through memory: nothing is written to disk here, and
 * what came out is known as a whole before anybody keeps it.
 */
#ifndef PLOTTING_RUN_H
#define PLOTTING_RUN_H

#include "base/attr.h"
#include "base/str.h"

struct diag;

/* One script to be run; borrowed. */
struct plot_job {
	const char *name;  /* of the script, for messages */
	struct str script; /* writes to standard output */
};

/* How scripts are run, and who takes their figures. */
struct plot_runner {
	const char *gnuplot; /* the program, looked for as a shell does */
	size_t at_once;	     /* processes at most; at least 1 */
	void *ctx;
	/* Figure i is there; false, having said why, ends it all. */
	bool (*take)(void *ctx, size_t i, struct str figure, struct diag *diag);
};

/* False when one could not be drawn, which has been reported; no further one is begun
 * then, and those that run are waited for. */
MUST_CHECK bool plot_run(const struct plot_runner *r, const struct plot_job *job, size_t n,
			 struct diag *diag);

#endif
