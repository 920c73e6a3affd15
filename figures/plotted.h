/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From loaded runs to what a figure is made of. */
#ifndef FIGURES_PLOTTED_H
#define FIGURES_PLOTTED_H

#include "compare/compare.h"
#include "plotting/kind.h"

struct arena;
struct request;

/* Runs with all of their operations, chosen or not. */
struct plotted {
	struct subject subject;		 /* without operations; see plotted_choose() */
	const struct compared *compared; /* NULL: runs that are not compared */
	const struct loaded *run;	 /* n_loaded of them */
	size_t n_loaded;
	struct compared *own_compared; /* what plotted_load() has read */
	struct loaded *own_run;
	struct arena *arena;
	struct plotted_op *op; /* all of them, the most telling first */
	size_t n_ops;
};

/* Of what somebody else has loaded and keeps. */
void plotted_borrow_pair(struct plotted *ret, const struct compared *c);
MUST_CHECK bool plotted_borrow_runs(struct plotted *ret, const struct loaded *run, size_t n,
				    struct diag *diag);
/* Reads the operands; two, or two sides, are compared. */
MUST_CHECK bool plotted_load(struct plotted *ret, const struct request *q, struct diag *diag);
void plotted_release(struct plotted *p);

/* The operations that a figure is to show: those the user names; else the reported ones,
 * or where nothing is compared, those with a share of the latency worth showing; or all,
 * if the kind shows all. No more than it holds; how many there were is *ret_all. */
void plotted_choose(struct plotted *p, const struct request *q, const struct figure_kind *kind,
		    size_t *ret_all);
/* One operation of either side; false when there is no such one. */
MUST_CHECK bool plotted_choose_one(struct plotted *p, const struct operation *op);

#endif
