/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a figure is made of: operations of one or several runs. */
#ifndef PLOTTING_SUBJECT_H
#define PLOTTING_SUBJECT_H

#include "analyze/rank.h"
#include "plotting/axis.h"
#include "profile/profile.h"

struct arena;
struct diag;

/* One run, or the sum of repeated ones. */
struct plotted_run {
	struct str title; /* "before", or its path */
	const struct profile *profile;
	const struct profile *const *single; /* the runs that it is the sum of */
	size_t n_single;		     /* 1: it is no sum, and `single` may be NULL */
	double scale; /* turns its latencies into the unit of the first run */
};

/* One operation in each run. */
struct plotted_op {
	struct str layer, name;
	const struct operation **of; /* n_runs; NULL where a run does not have it */
	const struct ranked *ranked; /* NULL: not compared */
};

/* The operations to draw, and which part of them; borrowed. */
struct subject {
	const struct plotted_run *run;
	size_t n_runs;
	const struct plotted_op *op;
	size_t n_ops;
	const struct ranking *ranking;	   /* of two runs; NULL: there is none */
	double x_from, x_to, y_from, y_to; /* what to show; NAN: what there is */
	struct str title;		   /* empty: the figure's own */
	enum unit shown;		   /* of latencies on axes; UNIT_UNKNOWN: as read best */
};

/* "layer/name", "(no name)". */
struct str plotted_name(struct arena *a, const struct plotted_op *op);
const struct operation *plotted_any(const struct plotted_op *op, size_t n_runs);
/* The run's unit, which values of a value profile are not in. */
struct scale plotted_scale(const struct subject *s, const struct plotted_op *op);

/* Its histogram in the unit of the first run; empty where the run does not have it. */
struct histogram plotted_histogram(struct arena *a, const struct subject *s,
				   const struct plotted_op *op, size_t run);
/* The same in each of the repeated runs. */
struct histogram *plotted_singles(struct arena *a, const struct subject *s,
				  const struct plotted_op *op, size_t run);

/* The stretch of latencies that these operations need together. */
struct frame plotted_frame(struct arena *a, const struct subject *s);

/* What every panel about one operation begins with. */
struct panel panel_of(struct arena *a, const struct plotted_op *op);
enum colour colour_of_run(size_t run);
bool any_repeated(const struct subject *s);

/* Applies what the user wants of the axes. */
void limit_axes(struct panel *p, const struct subject *s);

#endif
