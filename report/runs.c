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

void say_sides(struct out *o, const struct runs_judgement *j)
{
	const char *what = j->by_host ? "host" : "run";

	out_printf(o, "%zu %s%s", j->n_before, what, j->n_before == 1 ? "" : "s");
	if (j->paired)
		out_text(o, ", each against itself");
	else
		out_printf(o, " against %zu", j->n_after);
}

void say_q(struct out *o, double q)
{
	if (q < 0.0001)
		out_text(o, "q < 0.0001");
	else
		out_printf(o, "q %.2g", q);
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

/* Which part of the error this look at a comparison may spend, whose runs are added. */
static void say_look(struct out *o, const struct runs_judgement *j)
{
	double level = runs_level_of_look(&j->rules, j->n_before, j->n_after);

	if (!j->rules.sequential)
		return;
	if (level > 0)
		out_printf(o, "Sequential: this look may spend %.2g %% of the error of %.2g %%.\n",
			   100 * level, 100 * j->rules.q);
	else
		out_printf(o,
			   "Sequential: looks are at %d to %d runs a side, so nothing is "
			   "significant here.\n",
			   FIRST_LOOK, LAST_LOOK);
}

void say_judgement(struct out *o, const struct runs_judgement *j, bool effects_said)
{
	say_cpu_speed(o, j);
	say_look(o, j);
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
	jout_bool(j, "sequential", runs->rules.sequential);
	jout_f64(j, "level",
		 runs->rules.sequential
			 ? runs_level_of_look(&runs->rules, runs->n_before, runs->n_after)
			 : runs->rules.q);
	jout_bool(j, "order_used", runs->order_used);
	jout_bool(j, "duets", runs->duets);
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
	if (r->runs_needed > 0)
		jout_u64(j, "runs_needed", r->runs_needed);
	else
		jout_null(j, "runs_needed");
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
