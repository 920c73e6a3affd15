/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tree of causes as an icicle: each node a box below its parent's, as wide as the time a
 * call of the function spends in it with all below.  What stays free below a box is its own
 * time.
 */
#ifndef ANALYZE_CAUSES_ICICLE_H
#define ANALYZE_CAUSES_ICICLE_H

#include "analyze/causes.h"

/* One node's box: where it lies between the function's 0 and its mean latency. */
struct icicle_box {
	uint32_t node, level; /* the function is level 0 */
	double from, to;      /* ns a call of the function */
};

/* All boxes of the drawing, in an arena. */
struct icicle {
	struct icicle_box *v; /* a parent before what is below it */
	size_t n;
	size_t left_out;  /* nodes that have time, but no box */
	uint32_t levels;  /* that have a box */
	double max_added; /* of all boxes, whatever its sign */
};

/* Of the chosen calls, or of the others.  Boxes narrower than `least` of the whole and those
 * on `levels` or deeper are left out.  Children stand in one order on both sides. */
struct icicle causes_icicle(const struct causes *c, struct arena *a, bool against, double least,
			    uint32_t levels);

#endif
