/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two histograms in one drawing: SVG for embedding in an HTML page.
 *
 * Latency is on a logarithmic horizontal axis, calls on a logarithmic vertical one.
 * `before` is filled, `after` is outlined and hatched, so that the drawing is readable without
 * colours.  The page's CSS sets the colours of classes b and a.
 */
#ifndef REPORT_PAGE_SVG_H
#define REPORT_PAGE_SVG_H

#include "profile/quantity.h"

struct arena;
struct out;

/* The contents of one drawing; borrowed. */
struct drawing {
	const struct histogram *before,
		*after; /* in the same unit; NULL or empty: side is absent */
	const struct peaks *peaks_before, *peaks_after;
	size_t n_before, n_after; /* runs that are added up; calls are drawn per run */
	struct scale scale;
};

/* Prints the definitions that drawings refer to; call it once per page, before them. */
void svg_definitions(struct out *o);
/* Prints one drawing.  At least one side must have a bucket. */
void svg_histograms(struct out *o, struct arena *a, const struct drawing *d);
/* The repeated runs of both sides. */
struct runs_side;

/* Prints the mean latency of one operation in each run, those before first, on a logarithmic axis;
 * nothing when there are fewer than three runs that have it. */
struct ranked;
void svg_runs(struct out *o, const struct ranked *r, const struct runs_side *before,
	      const struct runs_side *after, struct scale scale);

#endif
