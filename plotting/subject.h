/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The input of figures: operations of one or several runs. */
#ifndef PLOTTING_SUBJECT_H
#define PLOTTING_SUBJECT_H

#include "analyze/rank/rank.h"
#include "plotting/axis.h"
#include "profile/profile.h"

struct arena;
struct diag;
struct history_findings;

/* One run, or the sum of repeated ones. */
struct plotted_run {
	const struct history_findings *history; /* of the runs in their order; NULL: not judged */
	struct str title;			/* "before", or the path */
	const struct profile *profile;
	const struct profile *const *single; /* the repeated runs that were added up */
	size_t n_single;		     /* 1: not a sum, and `single` may be NULL */
	double scale; /* factor that converts latencies to the unit of the first run */
};

/* One operation in each run. */
struct plotted_op {
	struct str layer, name;
	const struct operation **of; /* one for each run; NULL where it is absent */
	const struct ranked *ranked; /* NULL: not compared */
};

/* The operations to draw, and which part of them; borrowed. */
struct subject {
	const struct plotted_run *run;
	size_t n_runs;
	const struct plotted_op *op;
	size_t n_ops;
	const struct ranking *ranking;		/* of two compared runs; NULL: none */
	double x_from, x_to, y_from, y_to;	/* range to show; NAN: all data */
	const struct history_findings *history; /* of the runs in order; NULL: not judged */
	struct str title;			/* empty: the figure's default */
	double quantum;	 /* preempt: the scheduler's time slice; 0 or NAN: as seen in the run */
	bool share;	 /* histogram: draw shares of the calls */
	bool tail;	 /* cumulative: draw the calls that are slower */
	bool total;	 /* timeline: draw the total latency of each interval */
	bool in_space;	 /* draw maps in three dimensions */
	bool numbered;	 /* show bucket numbers on the axis of latencies */
	enum unit shown; /* unit of latencies on axes; UNIT_UNKNOWN: chosen for readability */
};

/* "layer/name", "(no name)". */
struct str plotted_name(struct arena *a, const struct plotted_op *op);
const struct operation *plotted_any(const struct plotted_op *op, size_t n_runs);
/* The scale of an operation: the first run's, or its own unit for values of a value profile. */
struct scale plotted_scale(const struct subject *s, const struct plotted_op *op);

/* Returns the histogram of an operation in the unit of the first run; empty if it is absent. */
struct histogram plotted_histogram(struct arena *a, const struct subject *s,
				   const struct plotted_op *op, size_t run);
/* Returns its histograms in each of the repeated runs. */
struct histogram *plotted_singles(struct arena *a, const struct subject *s,
				  const struct plotted_op *op, size_t run);

/* Returns a range of latencies that contains all operations. */
struct frame plotted_frame(struct arena *a, const struct subject *s);

/* Returns a panel for an operation with its name and a grid. */
struct panel panel_of(struct arena *a, const struct plotted_op *op);
enum colour colour_of_run(size_t run);
bool any_repeated(const struct subject *s);

/* Applies the user's limits to the y axis. */
void limit_axes(struct panel *p, const struct subject *s);

#endif
