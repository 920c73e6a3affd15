/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The runs that are browsed. */
#ifndef TUI_BROWSED_H
#define TUI_BROWSED_H

#include "analyze/rank/annotations.h"
#include "report/report.h"

/* What the host has loaded; all is borrowed. */
struct browsed {
	struct run before, after;		  /* after.profile NULL: one run */
	const struct comparison *comparison;	  /* NULL: one run */
	struct runs_side runs_before, runs_after; /* repeated runs; otherwise n is 0 or 1 */
	const struct known_times *times;
	double elapsed_before, elapsed_after; /* seconds; 0: not known */
	struct annotations *annotations;
	const char *command; /* operands and reading options, quoted for a shell */
	size_t threads;	     /* that may work at the same time; 0 counts as 1 */
};

#endif
