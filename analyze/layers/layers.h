/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The time of a run by layer, and the layers in which it changed between two runs
 * (OSprof 3.1), for osprof layers.
 */
#ifndef ANALYZE_LAYERS_LAYERS_H
#define ANALYZE_LAYERS_LAYERS_H

#include "analyze/layers/nested.h"

/* Calls and latency of all operations of one layer; latency in the profile's unit. */
struct layer_sum {
	struct str name;
	double calls, inclusive, own;
};

/* A profile with its operations' own times and sums by layer. */
struct layered {
	const struct profile *profile;
	struct nested nested;
	size_t *first; /* [n_ops + 1]: op i has nested.below[first[i]] up to before first[i + 1] */
	struct layer_sum *layer; /* in the order of their first operations */
	size_t n_layers;
};

/* Fills *ret; returns false when no operation lies within another. */
MUST_CHECK bool layers_of(struct arena *a, const struct profile *p, struct diag *diag,
			  struct layered *ret);

/* What lies below an operation on both sides: a layer, or an operation if there is one layer. */
struct layer_part {
	struct str name;
	double before, after; /* latency per run, in the unit of the side before */
};

/* How one operation's latency differs between two sides, and in which layers. */
struct layer_change {
	const struct operation *before, *after; /* NULL where absent */
	double calls_before, calls_after;	/* per run, as all below */
	double total_before, total_after;
	double own_before, own_after;
	struct layer_part *part; /* by falling change */
	size_t n_parts;
};

/* One side of a comparison by layer. */
struct layer_side {
	const struct layered *layered;
	double scale;  /* converts latencies to the unit of the side before */
	double n_runs; /* runs that were added up in the profile */
};

/* Returns the changes of all operations, by falling change of own time, then of total time. */
struct layer_change *layers_compare(struct arena *a, const struct layer_side *before,
				    const struct layer_side *after, size_t *ret_n);

#endif
