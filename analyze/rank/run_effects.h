/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What many operations of one pair of runs share: a factor, such as a slower clock, or a fixed cost
 * per call, such as a mitigation, a probe or a slower trap.  An operation that took b then takes
 * f b + c.
 *
 * The estimate is the effect of the largest group of operations that move together, so that
 * operations that changed by themselves do not influence it.  It is a result: whether the run as a
 * whole changed is decided by it (analyze/rank/run_verdict.h).
 */
#ifndef ANALYZE_RANK_RUN_EFFECTS_H
#define ANALYZE_RANK_RUN_EFFECTS_H

#include <stdbool.h>
#include <stddef.h>

/* The typical latency of an operation's calls on both sides, in the same unit; both > 0. */
struct effect_point {
	double before, after;
};

/* A shared effect: latency b before becomes factor b + per_call. */
struct run_effects {
	double factor;	   /* 1: none */
	double per_call;   /* in the unit of the points; 0: none */
	double low, high;  /* octaves: 90 % interval of the factor; NAN: none */
	size_t operations; /* points that it explains, and moves noticeably */
	size_t of;	   /* all points */
	bool tie;	   /* as many points did not move */
};

/* Which operations agree on an effect; comments give the defaults. */
struct run_effect_rules {
	double tolerance;      /* octaves between expected and measured latency: 0.2 */
	double noticeable;     /* octaves of a noticeable movement of an operation: 0.1 */
	double uncertain_part; /* uncertainty, as a share of the movement of an operation: 0.2 */
};
extern const struct run_effect_rules run_effect_rules_default;

/* What a machine does to an operation shows in the others, whose median withstands one that
 * changed by itself from three others on.  With fewer operations, what they share cannot be told
 * from a change of the program, and is one, as with a single operation. */
enum { MIN_OPERATIONS_SHARING = 4 };

/* Estimates the shared effect; returns {1, 0, ...} when there is none: the largest group did not
 * move, or has a single operation. */
struct run_effects run_effects_find(const struct effect_point *point, size_t n,
				    const struct run_effect_rules *rules);

/* Returns by how many octaves the effects move an operation that takes `before`. */
double run_effects_octaves(const struct run_effects *e, double before);
bool run_effects_any(const struct run_effects *e);
/* Whether an operation moved with the group: noticeably, and as far as the effect. */
bool run_effects_explain(const struct run_effects *e, const struct effect_point *p,
			 const struct run_effect_rules *rules);

#endif
