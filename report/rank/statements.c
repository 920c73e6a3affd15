/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/rank/statements.h"

#include <math.h>

#include "analyze/rank/facts.h"
#include "analyze/rank/runs.h"
#include "analyze/rank/waits.h"
#include "base/arena.h"
#include "base/out.h"
#include "profile/quantity.h"
#include "report/parts.h"
#include "report/quantiles.h"
#include "report/report.h"
#include "report/runs.h"

/* Statements that are being written. */
struct saying {
	struct arena *a;
	const struct comparison *c;
	const struct ranked *r;
	struct scale scale;
	struct facts facts;
	struct out *o; /* the current statement */
	struct statements said;
};

/* Ends the current statement; an empty one is none. */
static void end_statement(struct saying *s)
{
	if (out_memory(s->o).n > 0 && s->said.n < MAX_STATEMENTS)
		s->said.v[s->said.n++] = arena_str(s->a, out_memory(s->o));
	out_reset(s->o);
}

/* --- numbers ----------------------------------------------------------------------------- */

static bool is_plain(const struct saying *s)
{
	return s->scale.unit == UNIT_PLAIN;
}

/* "30000 -> 60000"; just one number if both print alike. */
static void say_pair(struct saying *s, double before, double after,
		     void (*print)(struct out *, double, struct scale))
{
	struct out *first = out_to_memory(), *second = out_to_memory();

	print(first, before, s->scale);
	print(second, after, s->scale);
	out_bytes(s->o, out_memory(first));
	if (!str_eq(out_memory(first), out_memory(second))) {
		out_text(s->o, " -> ");
		out_bytes(s->o, out_memory(second));
	}
	out_free(first);
	out_free(second);
}

static void print_calls(struct out *o, double calls, struct scale scale)
{
	(void)scale;
	quantity_calls(o, calls);
}

static void say_number_of_calls(struct saying *s, double calls)
{
	print_calls(s->o, calls, s->scale);
	out_text(s->o, calls == 1 ? " call" : " calls");
	out_text(s->o, each_run(s->c));
}

static void say_name_of_number(struct saying *s, const struct fact *f)
{
	if (f->kind == FACT_QUANTILE)
		out_printf(s->o, "p%.12g", f->quantile * 100);
	else
		out_text(s->o, f->kind == FACT_MAX ? "maximum" : "mean");
}

/* --- changes ----------------------------------------------------------------------------- */

/* Calls of the bucket at the limit count in part: one run has no fractions of calls, though. */
static double whole_calls(const struct saying *s, double calls)
{
	return each_run(s->c)[0] == '\0' ? round(calls) : calls;
}

static void say_slow_calls(struct saying *s, const struct fact *f)
{
	double now = whole_calls(s, f->after.value);

	print_calls(s->o, now, s->scale);
	out_text(s->o, now == 1 ? " call" : " calls");
	out_text(s->o, each_run(s->c));
	out_text(s->o, is_plain(s) ? " of " : " take ");
	quantity_latency(s->o, f->low, s->scale);
	out_text(s->o, is_plain(s) ? " or more, before " : " or longer, before ");
	print_calls(s->o, whole_calls(s, f->before.value), s->scale);
}

static double octaves_of(const struct saying *s, enum fact_kind kind, double quantile)
{
	const struct fact *f = NULL;

	while ((f = facts_next(&s->facts, kind, f)) != NULL) {
		if (kind != FACT_QUANTILE || f->quantile == quantile)
			return fact_octaves(f);
	}
	return 0;
}

/* Whether a change is one of the slow calls only: half of the calls did not follow. */
static bool is_of_tail(const struct saying *s, const struct fact *f)
{
	double median = octaves_of(s, FACT_QUANTILE, 0.5);

	return (f->kind == FACT_MAX || (f->kind == FACT_QUANTILE && f->quantile > 0.5)) &&
	       !(median * fact_octaves(f) > 0 && fabs(median) >= runs_rules_default.min_effect);
}

/* "slower (mean 278x higher, 261 ns -> 72.5 us)". */
static void say_latency_lead(struct saying *s, const struct fact *f)
{
	bool more = f->after.value > f->before.value;

	if (f->kind == FACT_SLOW) {
		out_text(s->o, more ? "more slow calls (" : "fewer slow calls (");
		say_slow_calls(s, f);
	} else {
		out_text(s->o, is_plain(s) ? more ? "larger" : "smaller"
			       : more	   ? "slower"
					   : "faster");
		out_text(s->o, is_of_tail(s, f) ? " at the tail (" : " (");
		say_name_of_number(s, f);
		out_char(s->o, ' ');
		say_higher(s->o, f->before.value, f->after.value);
		out_text(s->o, ", ");
		if (f->kind == FACT_QUANTILE)
			say_quantile_sides(s->o, f, s->scale);
		else
			say_pair(s, f->before.value, f->after.value, quantity_latency);
	}
	out_char(s->o, ')');
}

/* "called 2.0x as often (30000 -> 60000 a run)". */
static void say_calls_lead(struct saying *s, const struct fact *f)
{
	double before = f->before.value, after = f->after.value;
	double ratio = after > before ? after / before : before / after;

	out_text(s->o, is_plain(s) ? "counted " : "called ");
	if (ratio >= 1.5) {
		quantity_ratio(s->o, ratio);
		out_text(s->o, after > before ? "x as often (" : "x less often (");
	} else {
		quantity_percent(s->o, fabs(after / before - 1));
		out_text(s->o, after > before ? " more often (" : " less often (");
	}
	say_pair(s, before, after, print_calls);
	out_text(s->o, each_run(s->c));
	out_char(s->o, ')');
}

/* What has the direction of the verdict comes first, else the larger change. */
static bool calls_come_first(const struct saying *s, const struct fact *latency,
			     const struct fact *calls)
{
	double l = fact_octaves(latency), n = fact_octaves(calls);

	if (l * n >= 0 || (s->r->verdict != VERDICT_REGRESSED && s->r->verdict != VERDICT_IMPROVED))
		return fabs(n) > fabs(l);
	return (s->r->verdict == VERDICT_REGRESSED) == (n > 0);
}

static void say_both_leads(struct saying *s, const struct fact *latency, const struct fact *calls)
{
	bool calls_first = calls_come_first(s, latency, calls);

	if (calls_first)
		say_calls_lead(s, calls);
	else
		say_latency_lead(s, latency);
	out_text(s->o, calls_first && latency->kind != FACT_SLOW ? ", each " : " and ");
	if (calls_first)
		say_latency_lead(s, latency);
	else
		say_calls_lead(s, calls);
}

static void say_alone(struct saying *s, bool is_new)
{
	const struct fact *calls = facts_next(&s->facts, FACT_CALLS, NULL);
	const struct fact *mean = facts_next(&s->facts, FACT_MEAN, NULL);
	double n = is_new ? calls->after.value : calls->before.value;
	double each = is_new ? mean->after.value : mean->before.value;

	out_text(s->o, is_new ? "new: " : "gone: before, ");
	say_number_of_calls(s, n);
	if (isnan(each))
		return;
	out_text(s->o, n == 1 ? ", " : ", mean ");
	quantity_latency(s->o, each, s->scale);
}

static void say_changed(struct saying *s)
{
	const struct fact *latency = s->facts.latency, *calls = s->facts.calls;

	if (latency != NULL && calls != NULL) {
		say_both_leads(s, latency, calls);
	} else if (latency != NULL) {
		say_latency_lead(s, latency);
	} else if (calls != NULL) {
		say_calls_lead(s, calls);
	} else {
		out_text(s->o, is_plain(s) ? "values are distributed differently"
					   : "latencies are distributed differently");
	}
}

/* --- where the calls are ----------------------------------------------------------------- */

static const double worth_points = 0.05; /* of the calls by which the shares must differ */

/* "89 % of the calls take 33-262 us, before 0 %". */
static void say_range(struct saying *s, const struct fact *f)
{
	bool now = f->after.share > f->before.share;
	const struct fact_side *own = now ? &f->after : &f->before;
	const struct fact_side *other = now ? &f->before : &f->after;
	bool moved = s->facts.latency != NULL || s->r->verdict == VERDICT_INCONCLUSIVE;

	if (fabs(f->after.share - f->before.share) < worth_points && !(f->adds && moved))
		return;
	out_text(s->o, now ? "" : "before, ");
	out_text(s->o, s->r->approximated ? "about " : "");
	quantity_percent(s->o, own->share);
	out_text(s->o, now ? " of the calls " : " ");
	out_text(s->o, is_plain(s) ? now ? "have " : "had " : now ? "take " : "took ");
	quantity_range(s->o, f->low, f->high, s->scale);
	out_text(s->o, now ? ", before " : ", now ");
	quantity_percent(s->o, other->share);
	end_statement(s);
}

/* Where calls are now comes first, then where they were. */
static void say_ranges(struct saying *s)
{
	bool crowded = s->said.n > 1 || facts_next(&s->facts, FACT_STATES, NULL) != NULL ||
		       facts_next(&s->facts, FACT_WAIT, NULL) != NULL;
	size_t room = crowded ? 1 : 2;

	for (int was = 0; was <= 1; was++) {
		const struct fact *f = NULL;

		while (room > 0 && (f = facts_next(&s->facts, FACT_RANGE, f)) != NULL) {
			size_t n = s->said.n;

			if ((f->after.share <= f->before.share) == was)
				say_range(s, f);
			room -= s->said.n - n;
		}
	}
}

/* The range of the peak that makes most of the change. */
static void say_what_adds(struct saying *s)
{
	const struct fact *f = NULL;

	while ((f = facts_next(&s->facts, FACT_RANGE, f)) != NULL) {
		if (f->adds)
			say_range(s, f);
	}
}

/* --- nothing changed, or nobody knows ---------------------------------------------------- */

static void say_unchanged(struct saying *s)
{
	static const char *const names[] = { "mean", "p50", "p99" };
	const struct fact *f = facts_next(&s->facts, FACT_SAME, NULL);
	bool first = true;

	out_text(s->o, "unchanged");
	for (int i = 0; f != NULL && i < 3; i++) {
		if (isnan(f->bound[i]))
			continue;
		out_printf(s->o, "%s%s within ", first ? ": " : ", ", names[i]);
		quantity_percent(s->o, f->bound[i]);
		first = false;
	}
}

/* "12 % lower", "4.0x higher"; of a ratio. */
static void say_possible(struct saying *s, double ratio)
{
	say_higher(s->o, 1, ratio);
}

static void say_undecided_runs(struct saying *s)
{
	const struct replicate_stats *o = s->r->runs;
	const struct fact *mean = facts_next(&s->facts, FACT_MEAN, NULL);
	const struct fact *calls = facts_next(&s->facts, FACT_CALLS, NULL);
	bool of_mean = isfinite(mean->change_low) && isfinite(mean->change_high);
	const struct fact *f = of_mean ? mean : calls;

	out_text(s->o, "not decided");
	if (isnan(o->effect[FEATURE_MEAN].value) && isnan(o->effect[FEATURE_SHIFT].value)) {
		out_text(s->o, ": in too few of the runs to test");
	} else if (!o->tested) {
		out_text(s->o, ": too few calls to test");
	} else if (isfinite(f->change_low) && isfinite(f->change_high)) {
		out_text(s->o, of_mean ? ": the mean may be " : ": the number of calls may be ");
		say_possible(s, f->change_low);
		out_text(s->o, " to ");
		say_possible(s, f->change_high);
	}
}

static const char *const doubts[] = {
	[DOUBT_NONE] = "one run a side shows only larger differences",
	[DOUBT_EFFECT] = "one run a side shows only larger differences",
	[DOUBT_FEW_CALLS] = "too few calls for one run a side",
	[DOUBT_SLOW_CALLS] = "a few slow calls change the mean",
	[DOUBT_PREEMPTED] = "a few slow calls change the mean",
	[DOUBT_DELAYED] = "delays of other operations changed as much",
	[DOUBT_OTHER_CALLS] = "other operations were called more or less often, too",
	[DOUBT_LONGEST] = "of one run a side, only the longest call became much longer",
	[DOUBT_BUCKETS] = "calls changed buckets, but the mean did not follow",
	[DOUBT_SMALL_PART] = "too small a part of the run",
};

static void say_undecided_pair(struct saying *s)
{
	const struct fact *slow = facts_next(&s->facts, FACT_SLOW, NULL);
	enum doubt doubt = s->r->doubt;

	out_text(s->o, "not decided: ");
	out_text(s->o, doubts[doubt]);
	if (doubt == DOUBT_LONGEST) {
		const struct fact *max = facts_next(&s->facts, FACT_MAX, NULL);

		out_text(s->o, ", ");
		say_pair(s, max->before.value, max->after.value, quantity_latency);
	}
	if (slow == NULL || (doubt != DOUBT_SLOW_CALLS && doubt != DOUBT_PREEMPTED))
		return;
	end_statement(s);
	say_slow_calls(s, slow);
	if (doubt == DOUBT_PREEMPTED)
		out_text(s->o, "; they look preempted");
	end_statement(s);
	say_what_adds(s);
}

static void say_undecided(struct saying *s)
{
	if (s->c->runs != NULL)
		say_undecided_runs(s);
	else
		say_undecided_pair(s);
}

/* --- percentiles ------------------------------------------------------------------------- */

/* Within one bucket, an estimate does not show a change. */
static bool is_worth_saying(const struct fact *f)
{
	if (f->kind == FACT_QUANTILE && f->before.low == f->after.low &&
	    f->before.high == f->after.high && !f->counts)
		return false;
	return fabs(fact_octaves(f)) >= runs_rules_default.min_effect;
}

/* "p50 181 ns -> ~89 us, p99 ~0.70 -> ~185 us": those that moved; without a change of latency that
 * counts, only what counts by itself. */
static void say_percentiles(struct saying *s)
{
	static const double of[] = { 0.5, 0.9, 0.99 };
	bool first = true, only_certain = s->facts.latency == NULL && s->facts.calls != NULL;

	for (size_t i = 0; i < sizeof(of) / sizeof(of[0]); i++) {
		const struct fact *f = NULL;

		while ((f = facts_next(&s->facts, FACT_QUANTILE, f)) != NULL &&
		       f->quantile != of[i])
			;
		if (f == NULL || f == s->facts.latency || !is_worth_saying(f) ||
		    (only_certain && !f->counts))
			continue;
		out_text(s->o, first ? "" : ", ");
		say_name_of_number(s, f);
		out_char(s->o, ' ');
		say_quantile_sides(s->o, f, s->scale);
		first = false;
	}
	end_statement(s);
}

/* Where the mean goes the other way than what is said first: "but the mean is 12 % higher". */
static void say_mean_against(struct saying *s, const struct fact *mean)
{
	if (!(fact_octaves(mean) * fact_octaves(s->facts.latency) < 0) || !is_worth_saying(mean))
		return;
	out_text(s->o, "but the mean is ");
	say_higher(s->o, mean->before.value, mean->after.value);
	out_text(s->o, ", ");
	say_pair(s, mean->before.value, mean->after.value, quantity_latency);
	end_statement(s);
}

/* "88.4 us on average, before 87.6 us", or "as before" if both print alike. */
static void say_mean_and_before(struct saying *s, const struct fact *mean)
{
	struct out *before = out_to_memory(), *after = out_to_memory();

	quantity_latency(before, mean->before.value, s->scale);
	quantity_latency(after, mean->after.value, s->scale);
	out_bytes(s->o, out_memory(after));
	out_text(s->o, " on average, ");
	out_text(s->o, str_eq(out_memory(before), out_memory(after)) ? "as " : "");
	out_text(s->o, "before");
	if (!str_eq(out_memory(before), out_memory(after))) {
		out_char(s->o, ' ');
		out_bytes(s->o, out_memory(before));
	}
	out_free(before);
	out_free(after);
}

/* Where only their number changed: "each takes 88.4 us on average, before 87.6 us". */
static void say_mean_aside(struct saying *s)
{
	const struct fact *mean = facts_next(&s->facts, FACT_MEAN, NULL);

	if (isnan(mean->before.value) || isnan(mean->after.value))
		return;
	if (s->facts.latency != NULL)
		say_mean_against(s, mean);
	if (s->facts.latency != NULL || s->facts.calls == NULL)
		return;
	out_text(s->o, is_plain(s) ? "each has " : "each takes ");
	say_mean_and_before(s, mean);
	end_statement(s);
}

/* --- runs, waits, certainty -------------------------------------------------------------- */

/* "3 of 5 runs after are 6.0x slower than the others". */
static void say_states(struct saying *s)
{
	const struct fact *f = facts_next(&s->facts, FACT_STATES, NULL);
	double factor;

	if (f == NULL)
		return;
	factor = f->states->factor;
	out_printf(s->o, "%zu of %zu runs %s %s ", f->states->n, f->states->of,
		   f->after_has_states ? "after" : "before", f->states->n == 1 ? "is" : "are");
	quantity_ratio(s->o, fmax(factor, 1 / factor));
	out_printf(s->o, "x %s than the others", factor > 1 ? "slower" : "faster");
	end_statement(s);
}

static void say_wait(struct saying *s)
{
	if (facts_next(&s->facts, FACT_WAIT, NULL) == NULL || s->r->wait == WAIT_STEADY)
		return;
	out_text(s->o, wait_role_name(s->r->wait));
	end_statement(s);
}

/* The q of what the first statement names. */
static double leading_q(const struct saying *s)
{
	const struct replicate_stats *o = s->r->runs;

	if (s->facts.calls == NULL)
		return o->q;
	return s->facts.latency == NULL ? o->calls_q : fmax(o->q, o->calls_q);
}

static void say_in_runs(struct saying *s)
{
	const struct runs_judgement *j = s->c->runs;
	const struct replicate_stats *o = s->r->runs;
	bool gone = s->r->verdict == VERDICT_GONE;
	const char *runs = j->by_host ? "hosts" : "runs";

	out_printf(s->o, "in %zu of %zu %s %s, in none of %zu %s", gone ? o->n_before : o->n_after,
		   gone ? j->n_before : j->n_after, runs, gone ? "before" : "after",
		   gone ? j->n_after : j->n_before, gone ? "after" : "before");
}

/* "certain: 5 runs against 5, q < 0.0001". */
static void say_certainty(struct saying *s)
{
	const struct runs_judgement *j = s->c->runs;
	bool alone = s->r->verdict == VERDICT_NEW || s->r->verdict == VERDICT_GONE;

	if (j == NULL || s->r->runs == NULL || s->r->verdict == VERDICT_SAME ||
	    s->r->verdict == VERDICT_INCONCLUSIVE)
		return;
	if (alone) {
		say_in_runs(s);
	} else if (leading_q(s) <= j->rules.q) {
		out_text(s->o, "certain: ");
		say_sides(s->o, j);
		out_text(s->o, ", ");
		say_q(s->o, leading_q(s));
	}
	end_statement(s);
	if (!alone && !s->r->reported) {
		out_text(s->o, "too small a part of the run to be reported");
		end_statement(s);
	}
}

/* --- all of them ------------------------------------------------------------------------- */

static void say_first(struct saying *s)
{
	const struct in_run *before = &s->r->run_before, *after = &s->r->run_after;

	switch (s->r->verdict) {
	case VERDICT_SAME:
		say_unchanged(s);
		break;
	case VERDICT_INCONCLUSIVE:
		say_undecided(s);
		break;
	default:
		if (before->calls == 0 || after->calls == 0)
			say_alone(s, before->calls == 0);
		else
			say_changed(s);
		break;
	}
	end_statement(s);
}

struct statements statements_of(struct arena *a, const struct comparison *c, const struct ranked *r)
{
	const struct rank_rules *rules = c->rules != NULL ? c->rules : &rank_rules_default;
	struct saying s = { .a = a,
			    .c = c,
			    .r = r,
			    .scale = scale_of_ranked(c, r),
			    .facts = facts_of(a, c->ranking, r, c->runs, rules),
			    .o = out_to_memory() };

	say_first(&s);
	if (r->verdict != VERDICT_SAME && r->verdict != VERDICT_INCONCLUSIVE) {
		say_mean_aside(&s);
		say_ranges(&s);
		say_percentiles(&s);
	}
	say_states(&s);
	say_wait(&s);
	say_certainty(&s);
	out_free(s.o);
	return s.said;
}

void say_statements(struct out *o, const struct statements *s)
{
	for (size_t i = 0; i < s->n; i++) {
		struct str text = s->v[i];

		out_text(o, i > 0 ? ". " : "");
		if (text.n > 0 && text.p[0] >= 'a' && text.p[0] <= 'z' &&
		    !(text.n > 1 && text.p[0] == 'p' && text.p[1] >= '0' && text.p[1] <= '9')) {
			out_char(o, (char)(text.p[0] - 'a' + 'A'));
			text = str_skip(text, 1);
		}
		out_bytes(o, text);
	}
}

void explain(struct out *o, const struct comparison *c, const struct ranked *r)
{
	struct arena *a = arena_new();
	struct statements s = statements_of(a, c, r);

	say_statements(o, &s);
	arena_free(a);
}
