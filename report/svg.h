/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two histograms in one drawing: SVG to stand inside a page of HTML.
 *
 * Latency runs to the right on a logarithmic axis, calls upwards on another.
 * `before` is filled, `after` outlined and hatched, so that nobody needs the
 * colours, which are the page's: classes b and a.
 */
#ifndef REPORT_SVG_H
#define REPORT_SVG_H

#include "profile/quantity.h"

struct arena;
struct out;

/* What one drawing shows; borrowed. */
struct drawing {
	const struct histogram *before, *after; /* of one unit; NULL or empty: no such side */
	const struct peaks *peaks_before, *peaks_after;
	struct scale scale;
};

/* What all drawings of a page refer to; once, ahead of them. */
void svg_definitions(struct out *o);
/* At least one side has a bucket. */
void svg_histograms(struct out *o, struct arena *a, const struct drawing *d);

#endif
