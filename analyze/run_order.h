/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Repeated runs in the order in which they were made.
 *
 * A machine drifts, so neighbouring runs are more similar than others.  If the sides took turns,
 * smaller differences can be detected; if one side was measured after the other, only larger
 * ones, since a drift looks like a change.  The noise is modelled as autoregressive of first
 * order, AR(1): the noise of a run is `phi` times that of the previous run, plus new noise.  The
 * difference is estimated by generalised least squares for each phi of a list, and averaged with
 * the restricted likelihoods as weights.
 */
#ifndef ANALYZE_RUN_ORDER_H
#define ANALYZE_RUN_ORDER_H

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct profile;

/* The runs of one side. */
struct runs_side {
	const struct profile *const *run;
	size_t n;
	bool listed; /* as they were given, which is most often the order of their times */
};

/* The order of the runs of both sides, by their start time. */
struct run_order {
	size_t *run;  /* run numbers, earliest first; runs before have the lower numbers */
	size_t n;     /* 0: the order is not known */
	bool turns;   /* the sides alternated at least as often as by chance */
	bool blocked; /* all runs of one side came first */
};

/* Returns the order, in the arena.  It is known when both sides have at least two runs, and all
 * runs state distinct start times. */
struct run_order run_order_of(struct arena *a, const struct runs_side *before,
			      const struct runs_side *after);

/* What an unknown order costs.  Its worst case is one side after the other, with correlated noise:
 * then the means of the sides vary more, and the runs of a side less, than independent runs do. */
struct unordered {
	size_t n_before, n_after;
};
/* Returns the two-sided p of a t value of independent runs, averaged over how correlated they may
 * be; it does not depend on the order in which they are given. */
double unordered_p(const struct unordered *u, double t, double df);
/* Returns the factor by which an interval is wider, for the same reason. */
double unordered_width(const struct unordered *u);

/* A difference between the sides, estimated with autocorrelated noise. */
struct in_order {
	double difference, error; /* after minus before, and its standard error */
	double slope;		  /* of the value over the covariate; 0 without one */
};

/* Estimates the difference of value[], one number per run, or NAN for a run without one; at least
 * two runs of each side need a value.  `covariate` has another number per run, which may explain a
 * part, or is NULL.  A covariate costs one degree of freedom, and needs at least six runs with
 * values, three more than there are estimates.  Returns false when the runs within each side do
 * not differ at all. */
bool difference_in_order(const struct run_order *o, const double *value, const double *covariate,
			 size_t n_before, struct in_order *ret);

#endif
