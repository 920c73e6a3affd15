/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the input of figures from loaded runs. */
#ifndef PLOTTING_COMMANDS_PLOTTED_H
#define PLOTTING_COMMANDS_PLOTTED_H

#include "analyze/history/history.h"
#include "compare/compare.h"
#include "plotting/kind.h"

struct arena;
struct compare_options;
struct load_options;

/* Runs with all of their operations. */
struct plotted {
	struct subject subject;		 /* plotted_choose() adds the operations */
	const struct compared *compared; /* NULL: the runs are not compared */
	const struct loaded *run;	 /* the n_loaded runs */
	size_t n_loaded;
	struct compared *own_compared; /* owned: read by plotted_load() */
	struct loaded *own_run;
	struct history_findings findings;
	struct history *own_history; /* owned; NULL: not judged */
	struct arena *arena;
	struct plotted_op *op; /* all operations, in order of rank or latency */
	size_t n_ops;
};

/* Use runs that the caller has loaded and owns. */
void plotted_borrow_pair(struct plotted *ret, const struct compared *c);
MUST_CHECK bool plotted_borrow_runs(struct plotted *ret, const struct loaded *run, size_t n,
				    struct diag *diag);
/* Reads the operands; compares them if there are two, or two sides. */
MUST_CHECK bool plotted_load(struct plotted *ret, const struct load_options *q,
			     const struct compare_options *how, bool all, struct diag *diag);
void plotted_release(struct plotted *p);
/* Looks for change points in the order of the runs, if there are enough of one configuration; a
 * failure to convert units is reported, and leaves them out. */
void plotted_judge_history(struct plotted *p, struct diag *diag);

/* Chooses the operations that a figure shows: those that the user names; else all, if the kind
 * shows all; else the reported ones or, without a comparison, those with a large enough share of
 * the latency.  Keeps at most kind->max_ops; *ret_all is the number before that limit. */
void plotted_choose(struct plotted *p, const struct load_options *q, const struct figure_kind *kind,
		    size_t *ret_all);
/* Chooses one operation of either side; false when it is not found. */
MUST_CHECK bool plotted_choose_one(struct plotted *p, const struct operation *op);

#endif
