/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The histograms of an item as columns of one width in octaves: what is drawn.
 *
 * Numbers are those of one run: of repeated runs, their average.  Latencies are in the
 * unit of the run before.
 */
#ifndef TUI_CHART_H
#define TUI_CHART_H

#include "tui/study.h"

struct arena;

/* What the height of a chart's columns is: calls, or their latency. */
enum weight { WEIGH_CALLS, WEIGH_LATENCY };

/* One column of a chart. */
struct chart_column {
	double low, high;		      /* edges of what lies in it */
	double value[N_SIDES];		      /* calls or latency */
	double least[N_SIDES], most[N_SIDES]; /* among single runs; where there are some */
};

/* A chart, before it is drawn. */
struct chart {
	struct chart_column *column;
	size_t n;
	double from, step;	 /* octaves: column k begins at from + k step */
	double all_from, all_to; /* of the whole histograms */
	int resolution; /* columns for each octave of the collector's; 0: not logarithmic */
	bool has[N_SIDES], banded[N_SIDES];
	double count[N_SIDES]; /* calls of the whole histogram */
	enum weight weight;
	struct scale scale;
};

/* The stretch that is looked at. */
struct zoom {
	int level;	 /* each halves it; below 0 each doubles the width of columns */
	double centre;	 /* log2 of latency */
	double from, to; /* the same, of the axis that several charts have; equal: its own */
};

/* At most `most` columns.  `slice` NULL: the whole run; otherwise histograms that stand
 * for the operation's own, NULL for a missing side. */
struct chart chart_of(struct arena *a, const struct study *s, const struct item *i,
		      const struct histogram *const slice[N_SIDES], enum weight weight,
		      struct zoom zoom, size_t most);

/* Widens the axis of `zoom` to all that chart_of() would show. */
void chart_share_axis(const struct study *s, const struct item *i,
		      const struct histogram *const slice[N_SIDES], struct zoom *zoom);

/* Where a latency lies on the chart, in columns. */
double chart_at(const struct chart *c, double latency);

/* Where quantile q lies, in octaves, calls of a bucket spread over it; NAN when empty. */
double quantile_position(const struct histogram *h, double q);

#endif
