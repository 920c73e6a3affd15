/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whole-run effects: what makes every operation of a run slower or faster.
 *
 * Two kinds are known: a factor, as of a slower clock, and a fixed cost of each call, as
 * of a mitigation, a probe or a slower trap.  An operation that took b takes f b + c
 * then.  Both are estimated by consensus: the effect that brings most operations to
 * where they are, so that operations that changed by themselves have no say in it.
 */
#ifndef ANALYZE_RUN_EFFECTS_H
#define ANALYZE_RUN_EFFECTS_H

#include <stdbool.h>
#include <stddef.h>

/* What an operation's calls typically take on the two sides, in one unit; both > 0. */
struct effect_point {
	double before, after;
};

/* What all operations of a run have in common: latency b before becomes factor b + per_call. */
struct run_effects {
	double factor;	   /* 1: none */
	double per_call;   /* in the unit of the points; 0: none */
	size_t operations; /* that it brings to where they are, and moves noticeably */
	size_t of;	   /* points */
};

/* How many operations have to agree on an effect. */
struct run_effect_rules {
	size_t min_points;     /* 8: of fewer operations nothing is common */
	double tolerance;      /* octaves between what is expected and what is measured: 0.2 */
	double min_agreeing;   /* share of the points within it: 0.6 */
	double min_gain;       /* share of the points that only the effect explains: 0.25 */
	double noticeable;     /* octaves by which an operation is moved: 0.1 */
	double uncertain_part; /* of what an operation is moved by: 0.2 */
};
extern const struct run_effect_rules run_effect_rules_default;

/* {1, 0, 0, n} where no effect is found. */
struct run_effects run_effects_find(const struct effect_point *point, size_t n,
				    const struct run_effect_rules *rules);

/* Octaves by which the effects move an operation that takes `before`. */
double run_effects_octaves(const struct run_effects *e, double before);
bool run_effects_any(const struct run_effects *e);

#endif
