/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What happened to one operation, in words with numbers. */
#include <math.h>

#include "base/arena.h"
#include "base/out.h"
#include "profile/quantity.h"
#include "report/parts.h"
#include "report/report.h"
#include "report/runs.h"

/* A sentence in the making: parts joined by semicolons. */
struct sentence {
	struct out *o;
	struct scale scale;
	size_t n_parts;
};

static void next_part(struct sentence *s)
{
	if (s->n_parts++ > 0)
		out_text(s->o, "; ");
}

static const double worth_saying = 0.01; /* share of the calls, or of the latency */

static bool is_weighty(const struct peak *p, double total)
{
	return p->share >= worth_saying || p->total >= worth_saying * total;
}

static void say_place(struct sentence *s, const struct peak *p)
{
	quantity_range(s->o, p->core_low, p->core_high, s->scale);
}

/* "25 % of the calls"; few of very many are counted. */
static void say_calls_in(struct sentence *s, const struct peak *p)
{
	if (p->share < 0.001) {
		out_printf(s->o, "%llu calls", (unsigned long long)p->count);
		return;
	}
	quantity_percent(s->o, p->share);
	out_text(s->o, " of the calls");
}

static void say_gained(struct sentence *s, const struct peak *p)
{
	next_part(s);
	out_text(s->o, "a new peak at ");
	say_place(s, p);
	out_text(s->o, " holds ");
	say_calls_in(s, p);
}

static void say_lost(struct sentence *s, const struct peak *p)
{
	next_part(s);
	out_text(s->o, "the peak at ");
	say_place(s, p);
	out_text(s->o, " (");
	say_calls_in(s, p);
	out_text(s->o, ") is gone");
}

static void say_moved(struct sentence *s, const struct peak *before, const struct peak *after)
{
	double grown = after->share - before->share;

	next_part(s);
	out_text(s->o, "the peak with ");
	say_calls_in(s, before);
	if (fabs(grown) >= match_rules_default.share_points) {
		out_text(s->o, grown > 0 ? " grew to " : " shrank to ");
		quantity_percent(s->o, after->share);
		out_text(s->o, " and");
	}
	out_text(s->o, " moved from ");
	quantity_latency(s->o, before->mean, s->scale);
	out_text(s->o, after->place > before->place ? " up to " : " down to ");
	quantity_latency(s->o, after->mean, s->scale);
}

static void say_resized(struct sentence *s, const struct peak *before, const struct peak *after)
{
	next_part(s);
	out_text(s->o, "the peak at ");
	say_place(s, after);
	out_text(s->o, after->share > before->share ? " grew from " : " shrank from ");
	quantity_percent(s->o, before->share);
	out_text(s->o, " to ");
	say_calls_in(s, after);
}

static void say_peaks(struct sentence *s, const struct ranked_peaks *p, const struct ranked *r)
{
	for (size_t i = 0; i < p->pairs.n; i++) {
		const struct peak_pair *pair = &p->pairs.v[i];

		switch (pair->change) {
		case PEAK_GAINED:
			if (is_weighty(pair->after, r->total_after))
				say_gained(s, pair->after);
			break;
		case PEAK_LOST:
			if (is_weighty(pair->before, r->total_before))
				say_lost(s, pair->before);
			break;
		case PEAK_MOVED:
			if (is_weighty(pair->after, r->total_after))
				say_moved(s, pair->before, pair->after);
			break;
		case PEAK_GREW:
		case PEAK_SHRANK:
			say_resized(s, pair->before, pair->after);
			break;
		case PEAK_KEPT:
			break;
		}
	}
}

/* "3.3 times up", "12 % down": octaves of a ratio. */
static void say_ratio(struct sentence *s, double octaves)
{
	double ratio = exp2(fabs(octaves));

	if (ratio >= 1.5) {
		quantity_ratio(s->o, ratio);
		out_text(s->o, " times ");
	} else {
		quantity_percent(s->o, octaves > 0 ? ratio - 1 : 1 - 1 / ratio);
		out_char(s->o, ' ');
	}
	out_text(s->o, octaves > 0 ? "up" : "down");
}

static const double octaves_worth_saying = 0.0705; /* 5 % */

/* Whole ones where there are enough. */
static double calls_a_run(const struct operation *op, size_t n_runs)
{
	double calls = (double)operation_count(op) / (double)n_runs;

	return calls >= 100 ? round(calls) : calls;
}

/* "(30000 to 60000)"; of repeated runs, what one of them has on average. */
static void say_numbers(struct sentence *s, const struct comparison *c, const struct ranked *r)
{
	size_t nb = c->before.n_runs, na = c->after.n_runs;

	out_text(s->o, " (");
	quantity_count(s->o, calls_a_run(r->before, nb));
	out_text(s->o, " to ");
	quantity_count(s->o, calls_a_run(r->after, na));
	out_text(s->o, nb > 1 || na > 1 ? " a run)" : ")");
}

static void say_calls(struct sentence *s, const struct comparison *c, const struct ranked *r)
{
	if (isnan(r->calls_octaves) || fabs(r->calls_octaves) < octaves_worth_saying)
		return;
	next_part(s);
	out_text(s->o, "number of calls ");
	if (isinf(r->calls_octaves))
		out_text(s->o, r->calls_octaves > 0 ? "up" : "down");
	else
		say_ratio(s, r->calls_octaves);
	say_numbers(s, c, r);
}

static void say_mean(struct sentence *s, const struct ranked *r)
{
	if (isnan(r->mean_octaves))
		return;
	next_part(s);
	if (fabs(r->mean_octaves) < octaves_worth_saying) {
		out_text(s->o, "mean hardly moved");
		return;
	}
	out_text(s->o, "mean ");
	if (r->compared_before > 0 && r->compared_after > 0)
		say_ratio(s, r->mean_octaves);
	else
		out_text(s->o, r->compared_after > 0 ? "up from 0" : "down to 0");
}

/* Whether operations were left out before anything was compared. */
static bool is_part(const struct run *run)
{
	return run->profile->n_ops < run->totals.n_ops;
}

/* Of chosen operations it is a share of what these added, and of a single one no news. */
static void say_contribution(struct sentence *s, const struct comparison *c, const struct ranked *r)
{
	double change = ranked_change(c->ranking, r);
	double of = change > 0 ? c->ranking->added : c->ranking->saved;
	bool chosen = is_part(&c->before) || is_part(&c->after);

	if (!(of > 0) || fabs(change) < worth_saying * of || (chosen && fabs(change) == of))
		return;
	next_part(s);
	quantity_percent(s->o, fabs(change) / of);
	out_printf(s->o, " of the %s latency%s", change > 0 ? "added" : "saved",
		   chosen ? " of those chosen" : "");
}

static void say_alone(struct sentence *s, const struct comparison *c, const struct ranked *r)
{
	const struct operation *op = r->before != NULL ? r->before : r->after;

	next_part(s);
	out_text(s->o, r->before != NULL ? "only before: " : "only after: ");
	out_printf(s->o, "%llu call%s, ", (unsigned long long)operation_count(op),
		   operation_count(op) == 1 ? "" : "s");
	quantity_latency(s->o, r->before != NULL ? r->total_before : r->total_after, s->scale);
	out_text(s->o, " in all");
	say_contribution(s, c, r);
}

static void put_together(struct out *o, const struct comparison *c, const struct ranked *r,
			 bool with_peaks)
{
	struct arena *a = arena_new();
	struct ranked_peaks p = rank_peaks(a, r, c->ranking->scale_after);
	struct sentence s = { .o = o, .scale = scale_of_ranked(c, r) };

	if (r->before == NULL || r->after == NULL) {
		say_alone(&s, c, r);
	} else {
		if (with_peaks)
			say_peaks(&s, &p, r);
		say_calls(&s, c, r);
		say_mean(&s, r);
		say_contribution(&s, c, r);
		if (s.n_parts == 0)
			out_text(o, "nothing to tell apart");
	}
	if (c->runs != NULL) {
		out_text(o, "; ");
		say_over_runs(o, c->runs, r);
	}
	if (r->approximated)
		out_text(o, " (approximated: edges had to be split)");
	arena_free(a);
}

void explain(struct out *o, const struct comparison *c, const struct ranked *r)
{
	put_together(o, c, r, true);
}

void explain_totals(struct out *o, const struct comparison *c, const struct ranked *r)
{
	put_together(o, c, r, false);
}
