/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whole-run effects, which make every operation of a run slower or faster.
 *
 * There are two kinds: a factor, such as a slower clock, and a fixed cost per call, such as
 * a mitigation, a probe or a slower trap.  An operation that took b then takes f b + c.
 * The estimate is the effect that explains the most operations, so that operations that
 * changed by themselves do not influence it.
 */
#ifndef ANALYZE_RUN_EFFECTS_H
#define ANALYZE_RUN_EFFECTS_H

#include <stdbool.h>
#include <stddef.h>

/* The typical latency of an operation's calls on both sides, in the same unit; both > 0. */
struct effect_point {
	double before, after;
};

/* A whole-run effect: latency b before becomes factor b + per_call. */
struct run_effects {
	double factor;	   /* 1: none */
	double per_call;   /* in the unit of the points; 0: none */
	size_t operations; /* points that it explains, and moves noticeably */
	size_t of;	   /* all points */
};

/* How many operations must agree on an effect; comments give the defaults. */
struct run_effect_rules {
	size_t min_points;     /* with fewer operations, no effect is found: 8 */
	double tolerance;      /* octaves between expected and measured latency: 0.2 */
	double min_agreeing;   /* share of the points within the tolerance: 0.6 */
	double min_gain;       /* share of the points that only the effect explains: 0.25 */
	double noticeable;     /* octaves of a noticeable movement of an operation: 0.1 */
	double uncertain_part; /* uncertainty, as a share of the movement of an operation: 0.2 */
};
extern const struct run_effect_rules run_effect_rules_default;

/* Estimates the whole-run effect; returns {1, 0, 0, n} when there is none. */
struct run_effects run_effects_find(const struct effect_point *point, size_t n,
				    const struct run_effect_rules *rules);

/* Returns by how many octaves the effects move an operation that takes `before`. */
double run_effects_octaves(const struct run_effects *e, double before);
bool run_effects_any(const struct run_effects *e);

#endif
