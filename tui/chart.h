/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The histograms of an item as columns of equal width in octaves, ready to be drawn.
 *
 * Numbers are per run: averages, if runs were repeated.  Latencies are in the unit of the run
 * before.
 */
#ifndef TUI_CHART_H
#define TUI_CHART_H

#include "tui/studies/study.h"

struct arena;

/* The quantity that the height of a column shows: calls, or their latency. */
enum weight { WEIGH_CALLS, WEIGH_LATENCY };

/* One column of a chart. */
struct chart_column {
	double low, high;		   /* edges of the buckets in it */
	double value[N_SIDES];		   /* calls or latency */
	double min[N_SIDES], max[N_SIDES]; /* extremes among repeated runs, if any */
};

/* The data of a chart. */
struct chart {
	struct chart_column *column;
	size_t n;
	double from, step;	 /* octaves: column k begins at from + k step */
	double all_from, all_to; /* range of the whole histograms, in octaves */
	int resolution;		 /* the collector's buckets per octave; 0: not logarithmic */
	bool has[N_SIDES], banded[N_SIDES];
	double count[N_SIDES]; /* calls in the whole histogram */
	enum weight weight;
	struct scale scale;
};

/* The visible part of the axis. */
struct zoom {
	int level;	 /* each level halves the range; below 0, each doubles the column width */
	double centre;	 /* log2 of latency */
	double from, to; /* log2 of the ends of a shared axis; equal: the chart has its own */
};

/* Returns a chart of at most `most` columns.  `slice` replaces the operation's histograms, with
 * NULL for a missing side; a slice of NULL shows the whole run. */
struct chart chart_of(struct arena *a, const struct study *s, const struct item *i,
		      const struct histogram *const slice[N_SIDES], enum weight weight,
		      struct zoom zoom, size_t max);

/* Widens the shared axis of `zoom` to include all that chart_of() would show. */
void chart_share_axis(const struct study *s, const struct item *i,
		      const struct histogram *const slice[N_SIDES], struct zoom *zoom);

/* Returns the position of a latency on the chart, in columns. */
double chart_at(const struct chart *c, double latency);

/* Returns quantile q as log2 of latency, interpolated within its bucket; NAN when h is empty. */
double quantile_position(const struct histogram *h, double q);

#endif
