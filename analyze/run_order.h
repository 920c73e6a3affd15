/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Repeated runs in the order in which they were made.
 *
 * A machine drifts: neighbouring runs are more alike than others.  Sides that took turns are
 * distinguished more sharply then, and sides one of which was measured after the other less so,
 * since a drift looks like a change.  The noise is taken to be autoregressive of first order:
 * that of a run is `phi` times that of the run before it, and something new.  For each phi of
 * a list the difference is estimated by generalised least squares, and what these give is
 * averaged by restricted likelihood.
 */
#ifndef ANALYZE_RUN_ORDER_H
#define ANALYZE_RUN_ORDER_H

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct profile;

/* The runs of one side, as they were measured. */
struct runs_side {
	const struct profile *const *run;
	size_t n;
};

/* The runs of both sides, by the time when they began. */
struct run_order {
	size_t *run;  /* the earliest first; those of before have the lower numbers */
	size_t n;     /* 0: the order is not known */
	bool turns;   /* sides changed at least as often as by chance ... */
	bool blocked; /* ... or only once: all runs of one side came first */
};

/* Known where both sides have two runs or more and each run says when it began, no two the
 * same. */
struct run_order run_order_of(struct arena *a, const struct runs_side *before,
			      const struct runs_side *after);

/* A difference between the sides, estimated with noise that depends on the order. */
struct in_order {
	double difference, error; /* after minus before, and its standard error */
	double slope;		  /* by how much the value rises with the covariate */
};

/* Of one number a run, NAN for a run that has none; two of each side have one.  `covariate` has
 * another number for each run, which may explain a part, or is NULL; three runs more than
 * estimates (two, with a covariate three) are needed then, and the difference has a degree of
 * freedom less.  False where runs of a side do not differ at all. */
bool difference_in_order(const struct run_order *o, const double *value, const double *covariate,
			 size_t n_before, struct in_order *ret);

#endif
