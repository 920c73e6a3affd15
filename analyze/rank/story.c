/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/rank/story.h"

#include <math.h>

#include "analyze/call_reach.h"
#include "base/arena.h"

const struct story_rules story_rules_default = {
	.min_part = 0.01,
	.hint_within = 0.5,
	.max_width = 3,
	.rare = 0.01,
	.min_events = 10,
};

static bool is_weighty(const struct peak *p, double total)
{
	double min = story_rules_default.min_part;

	return p != NULL && (p->share >= min || p->total >= min * total);
}

static double total_of(const struct peaks *p)
{
	double sum = 0;

	for (size_t i = 0; i < p->n; i++)
		sum += p->v[i].total;
	return sum;
}

static void add_up(struct op_story *op_story, const struct ranked_peaks *p, double runs_ratio)
{
	double before = total_of(&p->before), after = total_of(&p->after);

	for (size_t i = 0; i < op_story->n_peaks; i++) {
		struct story_peak *k = &op_story->peak[i];

		k->added = (k->pair.after != NULL ? k->pair.after->total * runs_ratio : 0) -
			   (k->pair.before != NULL ? k->pair.before->total : 0);
		k->weighty = is_weighty(k->pair.before, before) || is_weighty(k->pair.after, after);
		*(k->added > 0 ? &op_story->added : &op_story->saved) += fabs(k->added);
	}
	for (size_t i = 0; i < op_story->n_peaks; i++) {
		struct story_peak *k = &op_story->peak[i];

		k->part = k->added != 0 ? fabs(k->added) /
						  (k->added > 0 ? op_story->added : op_story->saved)
					: NAN;
	}
}

static void compare_with_times(struct story_peak *k, const struct story_context *t,
			       const struct ranked *r, double seconds)
{
	const struct story_rules *rules = &story_rules_default;
	const struct peak *p = k->pair.after != NULL ? k->pair.after : k->pair.before;
	bool after = k->pair.after != NULL;
	double elapsed = after ? t->elapsed_after : t->elapsed_before;
	const struct time_subject of = {
		.kinds = call_reach_of(after ? r->after : r->before),
		.kernel = (after ? &t->after : &t->before)->profile->kernel,
	};

	if (p->core_low > 0 && p->count >= rules->min_events &&
	    log2(p->core_high / p->core_low) <= rules->max_width)
		k->n_hints = times_match(t->times, p->mean * seconds, rules->hint_within, false,
					 &of, k->hint);
	k->rare = p->share < rules->rare && p->count >= rules->min_events;
	k->period = k->rare && elapsed > 0 ? elapsed / (double)p->count : NAN;
	k->n_period_hints =
		times_match(t->times, k->period, rules->hint_within, true, &of, k->period_hint);
}

/* Peaks have the same numbers as in the book, which has the same histogram in its own unit. */
static void compare_with_others(struct story_peak *k, const struct story_context *t,
				const struct ranked *r)
{
	bool after = k->pair.after != NULL;
	const struct peak_book *b = after ? &t->after : &t->before;
	const struct operation *op = after ? r->after : r->before;
	size_t number = (size_t)(op - b->profile->op);

	if (k->number <= b->of[number].n)
		k->n_like = resemble_peaks(b, number, k->number - 1, k->like);
}

struct op_story story_of(struct arena *a, const struct story_context *t, const struct ranked *r,
			 double seconds)
{
	struct ranked_peaks p = rank_peaks(a, r, t->ranking->scale_after);
	struct op_story op_story = { .ranked = r, .n_peaks = p.pairs.n };
	const struct peak_book *b = r->after != NULL ? &t->after : &t->before;
	size_t number = (size_t)((r->after != NULL ? r->after : r->before) - b->profile->op);

	op_story.peak = arena_make(a, struct story_peak, p.pairs.n);
	for (size_t i = 0; i < p.pairs.n; i++) {
		struct story_peak *k = &op_story.peak[i];

		k->pair = p.pairs.v[i];
		k->number = 1 + (size_t)(k->pair.after != NULL ? k->pair.after - p.after.v
							       : k->pair.before - p.before.v);
		compare_with_times(k, t, r, seconds);
		compare_with_others(k, t, r);
	}
	add_up(&op_story, &p, t->ranking->runs_ratio);
	op_story.n_sums = resemble_sums(b, number, op_story.sum);
	op_story.n_relatives = resemble_calls(b, number, op_story.relatives);
	return op_story;
}
