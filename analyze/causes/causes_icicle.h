/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tree of causes as an icicle plot: each node is a box below its parent's, as wide as the
 * time that a call of the function spends in it and below.  The part of a box with nothing
 * below it is the node's own time.
 */
#ifndef ANALYZE_CAUSES_CAUSES_ICICLE_H
#define ANALYZE_CAUSES_CAUSES_ICICLE_H

#include "analyze/causes/causes.h"

/* One node's box; the function's own box goes from 0 to its mean latency. */
struct icicle_box {
	uint32_t node, level; /* the function is level 0 */
	double from, to;      /* ns per call of the function */
};

/* All boxes of the plot, in the caller's arena. */
struct icicle {
	struct icicle_box *v; /* parents before their children */
	size_t n;
	size_t left_out;  /* nodes with time but without a box */
	uint32_t levels;  /* levels that have a box */
	double max_added; /* largest |added| of all boxes */
};

/* Lays out the chosen calls, or, with `against`, the others.  Leaves out boxes narrower than the
 * share `least` of the function's, and boxes on level `levels` or deeper.  Both sides have the
 * same order of children. */
struct icicle causes_icicle(const struct causes *c, struct arena *a, bool against, double min,
			    uint32_t levels);

#endif
