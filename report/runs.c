/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results of repeated runs in words, JSON and CSV. */
#include "report/runs.h"

#include <math.h>
#include <string.h>

#include "base/out.h"
#include "profile/quantity.h"
#include "report/jout.h"
#include "report/report.h"
#include "report/table.h"

/* --- words -------------------------------------------------------------------------- */

static void say_number(struct out *o, size_t n, bool first)
{
	static const char *const words[] = { "no",  "one",   "two",   "three", "four", "five",
					     "six", "seven", "eight", "nine",  "ten" };

	if (n >= COUNT_OF(words)) {
		out_printf(o, "%zu", n);
		return;
	}
	out_char(o, first ? (char)(words[n][0] - 'a' + 'A') : words[n][0]);
	out_text(o, words[n] + 1);
}

/* "four runs against five". */
static void say_runs(struct out *o, const struct runs_judgement *j, bool first)
{
	say_number(o, j->n_before, first);
	if (j->paired) {
		out_text(o, " hosts, each against itself");
		return;
	}
	out_text(o, j->by_host ? " hosts against " : " runs against ");
	say_number(o, j->n_after, false);
}

void say_q(struct out *o, double q)
{
	if (q < 0.0001)
		out_text(o, "q below 0.0001");
	else
		out_printf(o, "q %.2g", q);
}

static void say_q_aside(struct out *o, double q)
{
	out_char(o, '(');
	say_q(o, q);
	out_char(o, ')');
}

void say_change(struct out *o, double octaves)
{
	if (octaves >= 1) {
		out_text(o, "x ");
		quantity_ratio(o, exp2(octaves));
		return;
	}
	out_char(o, octaves < 0 ? '-' : '+');
	quantity_percent(o, fabs(exp2(octaves) - 1));
}

static void say_possible(struct out *o, double low, double high)
{
	say_change(o, low);
	out_text(o, " to ");
	say_change(o, high);
}

static void say_significant(struct out *o, const struct replicate_stats *r,
			    const struct runs_rules *rules)
{
	bool latency = r->q <= rules->q, calls = r->calls_q <= rules->q;

	out_text(o, latency && calls ? "latency significant "
		    : latency	     ? "significant "
				     : "number of calls significant ");
	say_q_aside(o, latency ? r->q : r->calls_q);
	if (latency && calls) {
		out_text(o, ", number of calls, too ");
		say_q_aside(o, r->calls_q);
	}
}

static bool is_wide(double low, double high, double least)
{
	return low <= -least || high >= least;
}

/* Says why the verdict is inconclusive, with the 90 % confidence interval of the change. */
static void say_inconclusive(struct out *o, const struct replicate_stats *r,
			     const struct runs_rules *rules)
{
	const struct effect *mean = &r->effect[FEATURE_MEAN], *calls = &r->effect[FEATURE_CALLS];
	const struct effect *shift = &r->effect[FEATURE_SHIFT];
	bool known = !isnan(mean->value);

	if (isnan(mean->value) && isnan(shift->value)) {
		out_text(o, "in too few of the runs to test");
		return;
	}
	if (!r->tested)
		out_text(o, "too few calls to test");
	else if (r->q <= rules->q || r->calls_q <= rules->q)
		out_text(o, "significant, but not surely of the minimum effect");
	else
		out_text(o, "too noisy to decide");
	if (known && is_wide(mean->low, mean->high, rules->min_effect)) {
		out_text(o, ": the mean may have changed by ");
		say_possible(o, mean->low, mean->high);
	} else if (is_wide(calls->low, calls->high, rules->min_calls)) {
		out_text(o, ": the number of calls may have changed by ");
		say_possible(o, calls->low, calls->high);
	} else if (!isnan(shift->value)) {
		out_text(o, ": calls may have moved by ");
		say_possible(o, shift->low, shift->high);
	}
}

void say_replicate_stats(struct out *o, const struct runs_judgement *j, const struct ranked *r)
{
	if (r->verdict == VERDICT_NEW || r->verdict == VERDICT_GONE) {
		bool gone = r->verdict == VERDICT_GONE;

		out_printf(o, "in %zu of %zu %s %s, in none of %zu %s",
			   gone ? r->runs->n_before : r->runs->n_after,
			   gone ? j->n_before : j->n_after, j->by_host ? "hosts" : "runs",
			   gone ? "before" : "after", gone ? j->n_after : j->n_before,
			   gone ? "after" : "before");
		return;
	}
	say_runs(o, j, false);
	out_text(o, ": ");
	if (r->verdict == VERDICT_INCONCLUSIVE) {
		say_inconclusive(o, r->runs, &j->rules);
	} else if (r->verdict == VERDICT_SAME) {
		out_text(o, "no change of ");
		quantity_percent(o, exp2(j->rules.min_effect) - 1);
		out_text(o, " or more");
	} else {
		say_significant(o, r->runs, &j->rules);
		if (!r->reported)
			out_text(o, ", but too small a part of the run to be reported");
	}
}

static const double worth_saying = 0.0144; /* octaves: 1 % */

/* Prints a ratio of processor speeds: "1.9 times". */
static void say_times(struct out *o, double octaves)
{
	out_printf(o, "%.3g times", exp2(octaves));
}

static void say_cpu_speed(struct out *o, const struct runs_judgement *j)
{
	switch (j->speed_use) {
	case CPU_SPEED_UNKNOWN:
	case CPU_SPEED_STEADY:
		return;
	case CPU_SPEED_ADJUSTED:
		out_text(o, "The processor was up to ");
		say_times(o, j->speed_range);
		out_text(o,
			 " as fast in one run as in another; differences are adjusted for that.\n");
		return;
	case CPU_SPEED_PROGRAM:
		out_text(o, "The processor was ");
		say_times(o, fabs(j->speed_difference));
		out_printf(o,
			   " as fast in the runs %s, though the sides took turns: that counts as "
			   "the program's doing.\n",
			   j->speed_difference > 0 ? "before" : "after");
		return;
	case CPU_SPEED_BOUNDED:
		out_text(o, "The processor was ");
		say_times(o, fabs(j->speed_difference));
		out_printf(o, " as fast in the runs %s: only what that cannot explain counts.\n",
			   j->speed_difference > 0 ? "before" : "after");
		return;
	}
}

void say_judgement(struct out *o, const struct runs_judgement *j, bool effects_said)
{
	say_runs(o, j, true);
	out_printf(o, "%s, %zu operation%s tested%s; numbers are means per %s.\n",
		   j->order_used ? " in the order they were made" : "", j->n_tested,
		   j->n_tested == 1 ? "" : "s",
		   j->permutations > 0 ? " by permutation of runs" : "",
		   j->by_host ? "host" : "run");
	say_cpu_speed(o, j);
	if (effects_said || !j->run_effect_removed || !(fabs(j->shared.value) >= worth_saying))
		return;
	out_printf(o, "%zu operations together got ", j->n_grouped);
	quantity_percent(o, fabs(exp2(j->shared.value) - 1));
	out_printf(o,
		   " %s; the machine may be the cause, so that others are judged with and "
		   "without that.\n",
		   j->shared.value > 0 ? "slower" : "faster");
}

/* --- JSON ----------------------------------------------------------------------------- */

void jout_drift(struct jout *j, const char *key, const struct drift *d)
{
	jout_flat_object(j, key);
	jout_f64(j, "correlation", d->correlation);
	jout_f64(j, "p", d->p);
	jout_f64(j, "range", d->range);
	jout_end_object(j);
}

static const char *const speed_uses[] = {
	[CPU_SPEED_UNKNOWN] = "unknown",   [CPU_SPEED_STEADY] = "steady",
	[CPU_SPEED_ADJUSTED] = "adjusted", [CPU_SPEED_PROGRAM] = "program",
	[CPU_SPEED_BOUNDED] = "bounded",
};

void jout_judgement(struct jout *j, const struct runs_judgement *runs)
{
	jout_u64(j, "seed", runs->rules.seed);
	jout_u64(j, "permutations", runs->permutations);
	jout_bool(j, "order_used", runs->order_used);
	jout_str(j, "cpu_speed", str_from(speed_uses[runs->speed_use]));
	jout_f64(j, "cpu_speed_range", runs->speed_range);
	jout_f64(j, "cpu_speed_difference", runs->speed_difference);
	jout_u64(j, "tested", runs->n_tested);
	jout_f64(j, "min_effect", runs->rules.min_effect);
	jout_f64(j, "min_calls", runs->rules.min_calls);
	jout_f64(j, "run_effect_shift", runs->shared.value);
	jout_f64(j, "run_effect_p", runs->shared.p);
	jout_bool(j, "run_effect_removed", runs->run_effect_removed);
	jout_drift(j, "drift_before", &runs->drift_before);
	jout_drift(j, "drift_after", &runs->drift_after);
}

#define EFFECT(feature, member) offsetof(struct replicate_stats, effect[FEATURE_##feature].member)

static const struct {
	const char *name;
	size_t at;
} numbers[N_REPLICATE_STATS] = {
	{ "p", offsetof(struct replicate_stats, p) },
	{ "q", offsetof(struct replicate_stats, q) },
	{ "shift", EFFECT(SHIFT, value) },
	{ "shift_low", EFFECT(SHIFT, low) },
	{ "shift_high", EFFECT(SHIFT, high) },
	{ "mean_shift", EFFECT(MEAN, value) },
	{ "mean_shift_low", EFFECT(MEAN, low) },
	{ "mean_shift_high", EFFECT(MEAN, high) },
	{ "tail_shift", EFFECT(TAIL, value) },
	{ "permutation_p", offsetof(struct replicate_stats, distance_p) },
	{ "calls_shift", EFFECT(CALLS, value) },
	{ "calls_p", EFFECT(CALLS, p) },
	{ "calls_q", offsetof(struct replicate_stats, calls_q) },
	{ "shift_floor", offsetof(struct replicate_stats, floor.shift) },
	{ "mean_floor", offsetof(struct replicate_stats, floor.mean) },
	{ "tail_floor", offsetof(struct replicate_stats, floor.tail) },
	{ "calls_floor", offsetof(struct replicate_stats, floor.calls) },
	{ "p50_shift", EFFECT(P50, value) },
	{ "p50_shift_low", EFFECT(P50, low) },
	{ "p50_shift_high", EFFECT(P50, high) },
	{ "p90_shift", EFFECT(P90, value) },
	{ "p90_shift_low", EFFECT(P90, low) },
	{ "p90_shift_high", EFFECT(P90, high) },
	{ "p99_shift", EFFECT(P99, value) },
	{ "p99_shift_low", EFFECT(P99, low) },
	{ "p99_shift_high", EFFECT(P99, high) },
};

static double number_at(const struct replicate_stats *r, size_t i)
{
	double number;

	memcpy(&number, (const char *)r + numbers[i].at, sizeof(number));
	return number;
}

void jout_replicate_stats(struct jout *j, const struct replicate_stats *r)
{
	jout_bool(j, "tested", r->tested);
	for (size_t i = 0; i < N_REPLICATE_STATS; i++)
		jout_f64(j, numbers[i].name, number_at(r, i));
	jout_bool(j, "below_floor", r->below_floor);
}

/* --- CSV -------------------------------------------------------------------------------- */

void replicate_columns(struct column *ret)
{
	for (size_t i = 0; i < N_REPLICATE_STATS; i++)
		ret[i] = (struct column){ numbers[i].name, NULL, ALIGN_RIGHT };
}

void replicate_cells(struct table *t, const struct replicate_stats *r)
{
	for (size_t i = 0; i < N_REPLICATE_STATS; i++)
		table_number(t, r != NULL ? number_at(r, i) : NAN);
}
