/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What became of each peak, over repeated runs.
 *
 * Peaks are found in the sums of either side and matched (analyze/peaks.h).  Each run then has two
 * numbers for a peak: the mean log2 latency of its calls within the peak, and the odds that a call
 * lies within it.  The sides differ if these numbers differ by more than they do between runs of
 * one side (Student's t), or than counting explains.
 */
#ifndef ANALYZE_RANK_PEAKS_RUNS_H
#define ANALYZE_RANK_PEAKS_RUNS_H

#include "analyze/rank/rank.h"
#include "analyze/run_order.h"

struct arena;

/* A number on both sides, and by how much it changed.  Known over runs if both sides have two runs
 * with calls in the peak; otherwise low, high, p and q are NAN. */
struct peak_effect {
	double before, after;	  /* mean over the runs; NAN: no run has one */
	double change, low, high; /* after minus before, and its 95 % interval */
	double p, q;		  /* two-sided; q over all peaks of all operations */
};

/* A peak, or one side of one that is gained or lost. */
struct peak_runs {
	struct peak_pair pair;
	struct peak_effect position; /* mean log2 latency, in the unit before */
	struct peak_effect weight;   /* log2 of the odds of a call in the peak */
};

/* The peaks of an operation, by latency after (before for lost ones). */
struct operation_peaks {
	const struct ranked *ranked;
	struct peak_runs *v;
	size_t n;
};

/* The peaks of all operations, in the order of the ranking; in an arena. */
struct peaks_over_runs {
	struct operation_peaks *op;
	size_t n;
};

/* Compares the peaks of both sides, in the arena.  The result borrows from the ranking, whose
 * profiles are the sums of these runs. */
struct peaks_over_runs peaks_compare(struct arena *a, const struct ranking *all,
				     const struct runs_side *before, const struct runs_side *after);

/* Returns the share of calls with these log2 odds. */
double peak_share(double log2_odds);

#endif
