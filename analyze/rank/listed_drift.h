/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A drift that goes on from the runs of one side to those of the other.
 *
 * Runs that state no times are usually named in the order in which they were made, one side after
 * the other.  If the machine becomes slower from run to run, so are the runs of the second side.
 * The slope within the sides tells how much of the difference that explains.
 */
#ifndef ANALYZE_RANK_LISTED_DRIFT_H
#define ANALYZE_RANK_LISTED_DRIFT_H

#include <stddef.h>

#include "analyze/stats/significance.h"

struct listed_drift {
	double step;	  /* by how much it makes the side that was measured second higher */
	double per_slope; /* variance of `step`, in units of the variance of a run */
	double left;	  /* part of the variance within the sides that it leaves */
	size_t n;	  /* runs */
};

/* Measures a series of one number per run, or NAN for a run without one. */
struct listed_drift listed_drift_of(const double *value, size_t n_before, size_t n_runs);

/* Returns the p of a difference that was tested with independent runs, averaged over whether there
 * is such a drift; `p` is what it is without. */
double listed_drift_p(const struct listed_drift *d, const struct moderated *m, double difference,
		      double per_runs, double p);

#endif
