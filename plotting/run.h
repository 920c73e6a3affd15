/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs gnuplot on scripts; no other file here starts programs.
 *
 * Scripts, figures and messages are passed in memory: nothing is written to disk, and callers get
 * complete figures only.
 */
#ifndef PLOTTING_RUN_H
#define PLOTTING_RUN_H

#include "base/attr.h"
#include "base/str.h"

struct diag;

/* One script to run; borrowed. */
struct plot_job {
	const char *name;  /* name of the script, for messages */
	struct str script; /* must write the figure to standard output */
};

/* How to run scripts, and what to do with the figures. */
struct plot_runner {
	const char *gnuplot; /* the program; searched in PATH if it has no slash */
	size_t at_once;	     /* maximum number of processes; at least 1 */
	void *ctx;
	/* Receives figure i; returning false, after reporting an error, stops plot_run(). */
	bool (*take)(void *ctx, size_t i, struct str figure, struct diag *diag);
};

/* Runs n scripts.  False, after reporting an error, when one failed: no further script is started,
 * and those that run are waited for. */
MUST_CHECK bool plot_run(const struct plot_runner *r, const struct plot_job *job, size_t n,
			 struct diag *diag);

#endif
