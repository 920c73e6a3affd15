/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Explanations of one operation's change, in words with numbers.  Direction words are derived
 * from the numbers that are printed next to them; analyze/account.h says which these are. */
#include <math.h>

#include "analyze/account.h"
#include "base/arena.h"
#include "base/out.h"
#include "profile/quantity.h"
#include "report/parts.h"
#include "report/report.h"
#include "report/runs.h"

/* MAX_CHARACTERS: length of the whole explanation. */
enum { MAX_CHARACTERS = 600, MAX_DIGITS = 20 };

/* An explanation that is being written. */
struct sentence {
	struct arena *a;
	struct out *o;
	const struct comparison *c;
	const struct ranked *r;
	struct account account;
	struct scale scale;
	size_t n_parts; /* parts after the first sentence; semicolons join them */
};

/* The first part begins a new sentence; a semicolon precedes each other part. */
static void next_part(struct sentence *s, const char *words)
{
	if (s->n_parts++ == 0) {
		out_text(s->o, ". ");
		out_char(s->o, (char)(*words++ - 'a' + 'A'));
	} else {
		out_text(s->o, "; ");
	}
	out_text(s->o, words);
}

static bool is_a_run(const struct comparison *c)
{
	return c->before.n_runs > 1 || c->after.n_runs > 1;
}

/* " a run" when there are several. */
static const char *for_each(const struct comparison *c)
{
	return !is_a_run(c) ? "" : c->hosts != NULL ? " a host" : " a run";
}

static const char *takes(const struct sentence *s)
{
	return s->scale.unit == UNIT_PLAIN ? "have" : "take";
}

/* --- numbers ------------------------------------------------------------------------ */

static struct str kept(struct arena *a, struct out *o)
{
	struct str text = arena_str(a, out_memory(o));

	out_free(o);
	return text;
}

static struct str latency(const struct sentence *s, double v)
{
	struct out *o = out_to_memory();

	quantity_latency(o, v, s->scale);
	return kept(s->a, o);
}

static struct str range(const struct sentence *s, const struct peak *p)
{
	struct out *o = out_to_memory();

	quantity_range(o, p->core_low, p->core_high, s->scale);
	return kept(s->a, o);
}

/* Rounds numbers of 100 or more to integers. */
static struct str number(const struct sentence *s, double calls)
{
	struct out *o = out_to_memory();

	quantity_count(o, calls >= 100 ? round(calls) : calls);
	return kept(s->a, o);
}

static void put(struct sentence *s, struct str text)
{
	out_bytes(s->o, text);
}

/* "+4.35 s"; v is not 0. */
static void say_signed(struct sentence *s, double v)
{
	out_char(s->o, v > 0 ? '+' : '-');
	quantity_latency(s->o, fabs(v), s->scale);
}

/* --- the first sentence --------------------------------------------------------------- */

/* "25 % of the calls"; gives a number of calls when the share is below 0.1 %. */
static void say_calls_of(struct sentence *s, const struct peak_news *n, bool first)
{
	if (n->share >= 0.001) {
		quantity_percent(s->o, n->share);
		out_text(s->o, first ? " of the calls" : "");
		return;
	}
	put(s, number(s, n->calls));
	out_text(s->o, !is_a_run(s->c) && n->calls == 1 ? " call" : " calls");
	out_text(s->o, for_each(s->c));
}

/* Prints the latencies after and before: the middle 90 % of the peak, or the geometric mean when
 * both ranges print the same. */
static void say_places(struct sentence *s, const struct peak_news *n)
{
	struct str before = range(s, n->before), after = range(s, n->after);

	if (str_eq(before, after)) {
		before = latency(s, n->before->typical);
		after = latency(s, n->after->typical);
	}
	put(s, after);
	out_text(s->o, ", before ");
	put(s, before);
}

/* "90 % of the calls now take 33-262 us, before 128-512 ns". */
static void say_news(struct sentence *s, const struct peak_news *n, bool first)
{
	if (n->stayed) {
		say_calls_of(s, n, first);
		out_printf(s->o, " %s ", takes(s));
		put(s, range(s, n->after));
		out_text(s->o, ", before ");
		quantity_percent(s->o, n->before->share);
	} else if (n->after == NULL) {
		out_printf(s->o, first ? "no calls %s " : "none %s ", takes(s));
		put(s, range(s, n->before));
		out_text(s->o, " any more, before ");
		say_calls_of(s, n, first);
	} else {
		say_calls_of(s, n, first);
		out_printf(s->o, " now %s ", takes(s));
		if (n->before != NULL) {
			say_places(s, n);
			return;
		}
		put(s, range(s, n->after));
		out_text(s->o, ", before none");
	}
}

static void say_mean_first(struct sentence *s)
{
	out_printf(s->o, "calls now %s ", takes(s));
	put(s, latency(s, s->account.mean_after));
	out_text(s->o, " on average, before ");
	put(s, latency(s, s->account.mean_before));
}

static struct str body_range(const struct sentence *s, const struct body_range *body)
{
	struct out *o = out_to_memory();

	quantity_range(o, body->low, body->high, s->scale);
	return kept(s->a, o);
}

static void say_nothing(struct sentence *s)
{
	out_printf(s->o, "calls %s as long as before", takes(s));
}

/* "90 % of the calls now take 558-663 ns, before 469-560 ns". */
static void say_body(struct sentence *s)
{
	struct str before = body_range(s, &s->account.body_before);
	struct str after = body_range(s, &s->account.body_after);

	if (str_eq(before, after)) {
		say_nothing(s);
		return;
	}
	out_printf(s->o, "90 %% of the calls now %s ", takes(s));
	put(s, after);
	out_text(s->o, ", before ");
	put(s, before);
}

static void say_alone(struct sentence *s, const char *what, double calls, double mean)
{
	out_printf(s->o, "%s: ", what);
	put(s, number(s, calls));
	out_text(s->o, calls == 1 ? " call" : " calls");
	out_text(s->o, for_each(s->c));
	if (isnan(mean))
		return;
	out_text(s->o, " of ");
	put(s, latency(s, mean));
	out_text(s->o, calls == 1 ? "" : " on average");
}

/* Prints the change of the operation's total latency in a run, then that of all operations
 * together, which may have another sign.  Changes below one part in a million are not printed. */
static void say_cost(struct sentence *s)
{
	const struct ranking *all = s->c->ranking;
	const struct account *n = &s->account;
	const struct operation *op = ranked_operation(s->r);
	double whole = fmax(all->before.latency, all->after.latency * all->scale_after);

	if (fabs(n->change) <= 1e-6 * fmax(s->r->total_before, s->r->total_after))
		return;
	out_text(s->o, "; ");
	say_signed(s, n->change);
	out_text(s->o, for_each(s->c));
	out_text(s->o, s->r->fixed_duration ? " for as many calls" : "");
	if (s->r->idle || s->r->fixed_duration ||
	    op->unit != (s->r->before != NULL ? s->c->before : s->c->after).profile->unit ||
	    fabs(n->change_of_run) <= 1e-6 * whole ||
	    str_eq(latency(s, n->change), latency(s, n->change_of_run)))
		return;
	out_text(s->o, " of ");
	say_signed(s, n->change_of_run);
}

static void say_first(struct sentence *s)
{
	const struct account *n = &s->account;

	switch (n->kind) {
	case ACCOUNT_NEW:
		say_alone(s, "only after", n->calls_after, n->mean_after);
		break;
	case ACCOUNT_GONE:
		say_alone(s, "only before", n->calls_before, n->mean_before);
		break;
	case ACCOUNT_PEAK:
		say_news(s, &n->news[0], true);
		break;
	case ACCOUNT_MEAN:
		say_mean_first(s);
		break;
	case ACCOUNT_BODY:
		say_body(s);
		break;
	case ACCOUNT_CALLS:
		put(s, number(s, n->calls_after));
		out_text(s->o, " calls");
		out_text(s->o, for_each(s->c));
		out_text(s->o, ", before ");
		put(s, number(s, n->calls_before));
		out_text(s->o, "; each as long as it was");
		break;
	case ACCOUNT_NOTHING:
		say_nothing(s);
		break;
	}
	say_cost(s);
}

/* --- statistics --------------------------------------------------------------------------- */

static bool differs(double octaves)
{
	return !isnan(octaves) && fabs(octaves) >= account_rules_default.min_octaves;
}

/* "number of calls 2.0x higher (30000 -> 60000 a run)". */
static void say_calls(struct sentence *s)
{
	const struct account *n = &s->account;
	struct str before = number(s, n->calls_before), after = number(s, n->calls_after);

	if (!differs(s->r->calls_octaves) || str_eq(before, after))
		return;
	next_part(s, "number of calls ");
	say_higher(s->o, n->calls_before, n->calls_after);
	if (n->kind == ACCOUNT_CALLS)
		return;
	out_text(s->o, " (");
	put(s, before);
	out_text(s->o, " -> ");
	put(s, after);
	out_text(s->o, for_each(s->c));
	out_char(s->o, ')');
}

static void say_mean(struct sentence *s)
{
	const struct account *n = &s->account;
	struct str before = latency(s, n->mean_before), after = latency(s, n->mean_after);

	if (isnan(s->r->mean_octaves))
		return;
	next_part(s, "mean ");
	if (!differs(s->r->mean_octaves) || str_eq(before, after)) {
		out_text(s->o, "unchanged (within noise)");
		return;
	}
	say_higher(s->o, n->mean_before, n->mean_after);
	if (n->kind == ACCOUNT_MEAN)
		return;
	out_text(s->o, " (");
	put(s, before);
	out_text(s->o, " -> ");
	put(s, after);
	out_char(s->o, ')');
}

static struct str words_of_runs(struct sentence *s)
{
	struct out *o = out_to_memory();

	if (s->c->runs != NULL) {
		out_text(o, "; ");
		say_replicate_stats(o, s->c->runs, s->r);
	} else if (s->r->doubt != DOUBT_NONE) {
		out_text(o, "; ");
		say_doubt(o, s->c, s->r);
	}
	if (s->r->approximated)
		out_text(o, " (counts interpolated across buckets)");
	return kept(s->a, o);
}

static struct str words_of_news(const struct sentence *s, const struct peak_news *n)
{
	struct sentence part = *s;

	part.o = out_to_memory();
	say_news(&part, n, false);
	return kept(s->a, part.o);
}

/* Prints the other peaks that changed, as many as fit into `room` characters. */
static void say_other_peaks(struct sentence *s, size_t room)
{
	static const char rest[] = ", and %zu smaller";
	const struct account *n = &s->account;
	size_t i = n->kind == ACCOUNT_PEAK, first = i, left = n->n_news - i + n->n_smaller;

	for (; i < n->n_news; i++) {
		struct str words = words_of_news(s, &n->news[i]);

		if (out_memory(s->o).n + words.n + sizeof(rest) + MAX_DIGITS > room)
			break;
		if (i == first)
			next_part(s, "also ");
		else
			out_text(s->o, ", ");
		put(s, words);
		left--;
	}
	if (left > 0 && i > first)
		out_printf(s->o, rest, left);
}

static void put_together(struct out *o, const struct comparison *c, const struct ranked *r,
			 const struct ranked_peaks *peaks, bool with_peaks)
{
	struct arena *a = arena_new();
	struct sentence s = {
		.a = a, .o = out_to_memory(), .c = c, .r = r, .scale = scale_of_ranked(c, r)
	};
	struct str tail = words_of_runs(&s);

	s.account = account_of(a, c->ranking, r, peaks, c->before.n_runs, c->after.n_runs);
	say_first(&s);
	if (s.account.kind != ACCOUNT_NEW && s.account.kind != ACCOUNT_GONE) {
		say_calls(&s);
		say_mean(&s);
		if (with_peaks)
			say_other_peaks(&s, MAX_CHARACTERS - tail.n);
	}
	out_bytes(o, out_memory(s.o));
	out_bytes(o, tail);
	out_free(s.o);
	arena_free(a);
}

static void find_peaks(struct out *o, const struct comparison *c, const struct ranked *r,
		       bool with_peaks)
{
	struct arena *a = arena_new();
	const struct ranked_peaks peaks = rank_peaks(a, r, c->ranking->scale_after);

	put_together(o, c, r, &peaks, with_peaks);
	arena_free(a);
}

void explain(struct out *o, const struct comparison *c, const struct ranked *r)
{
	find_peaks(o, c, r, true);
}

void explain_by(struct out *o, const struct comparison *c, const struct ranked *r,
		const struct ranked_peaks *peaks)
{
	put_together(o, c, r, peaks, true);
}

void explain_totals(struct out *o, const struct comparison *c, const struct ranked *r)
{
	find_peaks(o, c, r, false);
}
