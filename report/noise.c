/* SPDX-License-Identifier: GPL-3.0-or-later */
/* osprof aa: whether a gate can be trusted on a workload, and how small an effect it sees. */
#include "analyze/rank/noise.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/stats/significance.h"
#include "base/escape.h"
#include "base/out.h"
#include "base/xalloc.h"
#include "report/jout.h"
#include "report/parts.h"
#include "report/report.h"
#include "report/runs.h"
#include "report/table.h"

static const char *const alarm_names[N_ALARMS] = { "regressed", "any", "policy" };

static int n_alarms(const struct noise *n)
{
	return n->has_policy ? N_ALARMS : ALARM_POLICY;
}

/* --- JSON ------------------------------------------------------------------------------ */

static void json_alarms(struct jout *j, const struct noise *n, const size_t *alarms)
{
	for (int i = 0; i < N_ALARMS; i++) {
		if (i < n_alarms(n))
			jout_u64(j, alarm_names[i], alarms[i]);
		else
			jout_null(j, alarm_names[i]);
	}
}

static void json_replays(struct jout *j, const char *key, const struct noise *n,
			 const struct replays *r)
{
	jout_flat_object(j, key);
	jout_u64(j, "splits", r->n);
	jout_bool(j, "all", r->all);
	json_alarms(j, n, r->alarms);
	jout_end_object(j);
}

static void json_floor(struct jout *j, const char *key, const struct noise_floor *f)
{
	jout_flat_object(j, key);
	jout_f64(j, "latency", floor_of_latency(f));
	jout_f64(j, "shift", f->shift);
	jout_f64(j, "mean", f->mean);
	jout_f64(j, "tail", f->tail);
	jout_f64(j, "calls", f->calls);
	jout_end_object(j);
}

static void json_why(struct jout *j, const struct noisy *v)
{
	if (v->why == STABLE) {
		jout_null(j, "unstable");
		return;
	}
	jout_flat_object(j, "unstable");
	jout_text(j, "why", instability_name(v->why));
	jout_text(j, "about", v->about == ABOUT_CALLS ? "calls" : "latency");
	if (v->why == UNSTABLE_OUTLIER_RUN)
		jout_u64(j, "run", v->run + 1);
	else
		jout_null(j, "run");
	jout_f64(j, "by", v->by != 0 ? v->by : NAN);
	jout_end_object(j);
}

static void json_operation(struct jout *j, const struct noise *n, const struct noisy *v)
{
	jout_object(j, NULL);
	jout_str(j, "name", v->op->name);
	jout_str(j, "layer", v->op->layer);
	jout_f64(j, "share", v->share);
	jout_f64(j, "calls", v->calls);
	jout_u64(j, "runs", v->n_runs);
	jout_bool(j, "tested", v->tested);
	jout_bool(j, "weighs", v->weighs);
	json_floor(j, "floor_halves", &v->halves);
	json_floor(j, "floor_one", &v->one);
	json_why(j, v);
	jout_flat_object(j, "alarms_halves");
	json_alarms(j, n, v->alarms);
	jout_end_object(j);
	jout_flat_object(j, "alarms_one");
	json_alarms(j, n, v->alarms_one);
	jout_end_object(j);
	jout_end_object(j);
}

static void noise_json(struct out *o, const struct run *run, const struct noise *n)
{
	struct jout j = jout_on(o);

	jout_document(&j, "osprof.aa/1");
	jout_files(&j, "runs", run);
	jout_unit(&j, "unit", run->profile->unit);
	jout_u64(&j, "n_runs", n->n_runs);
	jout_u64(&j, "seed", n->rules.seed);
	jout_f64(&j, "min_effect", n->rules.min_effect);
	jout_f64(&j, "min_calls", n->rules.min_calls);
	json_replays(&j, "halves", n, &n->halves);
	json_replays(&j, "one", n, &n->one);
	jout_drift(&j, "drift", &n->drift);
	jout_array(&j, "operations");
	for (size_t i = 0; i < n->n; i++)
		json_operation(&j, n, &n->v[i]);
	jout_end_array(&j);
	jout_end_object(&j);
	jout_finish(&j);
}

/* --- false alarms ------------------------------------------------------------------------ */

static void say_rate(struct out *o, const struct replays *r, enum alarm alarm)
{
	out_printf(o, "%zu of %zu (", r->alarms[alarm], r->n);
	quantity_percent(o, (double)r->alarms[alarm] / (double)r->n);
	out_char(o, ')');
}

static const struct column replay_columns[] = {
	{ NULL, "comparison", ALIGN_LEFT },
	{ NULL, "--exit-code", ALIGN_RIGHT },
	{ NULL, "--exit-code=any", ALIGN_RIGHT },
	{ NULL, "--policy", ALIGN_RIGHT },
};

static void replay_row(struct table *t, const struct noise *n, const struct replays *r,
		       size_t before, size_t after)
{
	out_printf(table_open(t), "%zu run%s against %zu", after, after == 1 ? "" : "s", before);
	table_close(t, TONE_PLAIN);
	for (int i = 0; i < n_alarms(n); i++) {
		say_rate(table_open(t), r, (enum alarm)i);
		table_close(t, r->alarms[i] > 0 ? TONE_NOTICE : TONE_PLAIN);
	}
}

static void replay_table(struct out *o, const struct style *s, const struct noise *n)
{
	struct table *t = table_begin(replay_columns, 1 + (size_t)n_alarms(n), s, o);

	if (n->halves.n > 0)
		replay_row(t, n, &n->halves, (n->n_runs + 1) / 2, n->n_runs / 2);
	replay_row(t, n, &n->one, n->n_runs - 1, 1);
	table_end(t);
}

enum { ENOUGH_REPLAYS = 20 };
static const double trusted = 0.05, doubtful = 0.1;

/* Returns the false-alarm rate of the policy's gate, or of the default gate without a policy. */
static double rate_of(const struct noise *n, const struct replays *r)
{
	return (double)r->alarms[n->has_policy ? ALARM_POLICY : ALARM_REGRESSED] / (double)r->n;
}

static void say_trust(struct out *o, const struct noise *n, const struct replays *r,
		      const char *what)
{
	double rate = rate_of(n, r);

	out_printf(o, "A gate on %s ", what);
	if (rate <= trusted && r->n < ENOUGH_REPLAYS)
		out_text(o, "may be reliable");
	else if (rate <= trusted)
		out_text(o, "is reliable");
	else if (rate <= doubtful)
		out_text(o, "is usable with care");
	else
		out_text(o, "is not reliable");
	out_text(o, ": false alarms in ");
	say_rate(o, r, n->has_policy ? ALARM_POLICY : ALARM_REGRESSED);
	if (rate == 0 && r->n < ENOUGH_REPLAYS) {
		out_text(o, ",\nbut so few comparisons would often show none even at a rate of ");
		quantity_percent(o, largest_rate(0, r->n));
	}
	out_text(o, ".\n");
}

/* --- minimum detectable effects ---------------------------------------------------------- */

/* Returns the median over the operations that are large enough; NAN when there are none. */
static double middle_floor(const struct noise *n, bool halves)
{
	double *v = xcalloc(n->n + 1, sizeof(*v)), r;
	size_t m = 0;

	for (size_t i = 0; i < n->n && n->v[i].weighs; i++) {
		double f = floor_of_latency(halves ? &n->v[i].halves : &n->v[i].one);

		if (!isnan(f))
			v[m++] = f;
	}
	r = median_of(v, m);
	free(v);
	return r;
}

static void say_weighing(struct out *o, const struct noise *n)
{
	size_t apart = 0, above = 0, weigh = 0;

	for (size_t i = 0; i < n->n && n->v[i].weighs; i++) {
		weigh++;
		apart += n->v[i].why != STABLE && n->v[i].why != UNSTABLE_NOISY;
		above += floor_of_latency(&n->v[i].one) > n->rules.min_effect;
	}
	out_printf(
		o,
		"%zu of %zu operations above --min-share var%s by more than the minimum effect (",
		above, weigh, above == 1 ? "ies" : "y");
	say_change(o, n->rules.min_effect);
	out_text(o, ") from run\nto run");
	if (apart > 0)
		out_printf(o, "; why is said below for %zu", apart);
	out_text(o, ".\n");
}

static void say_smallest(struct out *o, const struct noise *n)
{
	double halves = middle_floor(n, true), one = middle_floor(n, false);

	if (isnan(one)) {
		out_text(o, "No operation is a large enough part of the run to be reported.\n");
		return;
	}
	out_text(o, "Minimum detectable effect: ");
	if (n->halves.n > 0) {
		say_change(o, halves);
		out_text(o, " between halves, ");
	}
	say_change(o, one);
	out_text(o, " in one run (median operation).\n");
	say_weighing(o, n);
}

/* --- operations ------------------------------------------------------------------------------ */

static const struct column columns[] = {
	{ "operation", "operation", ALIGN_LEFT },
	{ "layer", NULL, ALIGN_LEFT },
	{ "share", "share", ALIGN_RIGHT },
	{ "calls", NULL, ALIGN_RIGHT },
	{ NULL, "calls a run", ALIGN_RIGHT },
	{ NULL, "halves", ALIGN_RIGHT },
	{ NULL, "one run", ALIGN_RIGHT },
	{ NULL, "calls", ALIGN_RIGHT },
	{ NULL, "slow calls", ALIGN_RIGHT },
	{ "runs", NULL, ALIGN_RIGHT },
	{ "tested", NULL, ALIGN_LEFT },
	{ "latency_floor_halves", NULL, ALIGN_RIGHT },
	{ "latency_floor_one", NULL, ALIGN_RIGHT },
	{ "shift_floor_one", NULL, ALIGN_RIGHT },
	{ "mean_floor_one", NULL, ALIGN_RIGHT },
	{ "tail_floor_one", NULL, ALIGN_RIGHT },
	{ "calls_floor_one", NULL, ALIGN_RIGHT },
	{ NULL, "alarms", ALIGN_RIGHT },
	{ "alarms_halves", NULL, ALIGN_RIGHT },
	{ "alarms_one", NULL, ALIGN_RIGHT },
	{ "unstable", "unstable", ALIGN_LEFT },
	{ "run", NULL, ALIGN_RIGHT },
	{ "by", NULL, ALIGN_RIGHT },
};

static const double no_noise = 1e-4; /* octaves; less counts as no noise */

static void floor_cell(struct table *t, double octaves)
{
	struct out *o = table_open(t);

	if (octaves < no_noise)
		out_text(o, "any");
	else if (!isnan(octaves))
		say_change(o, octaves);
	table_close(t, TONE_PLAIN);
}

static void operation_row(struct table *t, const struct style *s, const struct noise *n,
			  const struct noisy *v)
{
	int of = n->has_policy ? ALARM_POLICY : ALARM_ANY;
	bool unstable = v->why != STABLE;

	operation_cell(t, s, v->op);
	table_name(t, v->op->layer);
	table_share(t, v->share);
	table_number(t, v->calls);
	table_count(t, (uint64_t)(v->calls + 0.5));
	floor_cell(t, n->halves.n > 0 ? floor_of_latency(&v->halves) : NAN);
	floor_cell(t, floor_of_latency(&v->one));
	floor_cell(t, v->one.calls);
	floor_cell(t, v->one.tail);
	table_count(t, v->n_runs);
	table_text(t, v->tested ? "yes" : "no", TONE_PLAIN);
	table_number(t, n->halves.n > 0 ? floor_of_latency(&v->halves) : NAN);
	table_number(t, floor_of_latency(&v->one));
	table_number(t, v->one.shift);
	table_number(t, v->one.mean);
	table_number(t, v->one.tail);
	table_number(t, v->one.calls);
	table_count(t, v->alarms[of] + v->alarms_one[of]);
	table_count(t, v->alarms[of]);
	table_count(t, v->alarms_one[of]);
	table_text(t, unstable ? instability_name(v->why) : "",
		   unstable ? TONE_NOTICE : TONE_PLAIN);
	table_number(t, v->why == UNSTABLE_OUTLIER_RUN ? (double)v->run + 1 : NAN);
	table_number(t, v->by != 0 ? v->by : NAN);
}

static void operation_table(struct out *o, const struct style *s, const struct noise *n, bool all)
{
	struct table *t = table_begin(columns, COUNT_OF(columns), s, o);

	for (size_t i = 0; i < n->n && (all || n->v[i].weighs); i++)
		operation_row(t, s, n, &n->v[i]);
	table_end(t);
}

/* --- reasons ----------------------------------------------------------------------------- */

static void say_run(struct out *o, const struct style *s, const struct run *run, size_t k)
{
	if (run->n_files != run->n_runs)
		out_printf(o, "run %zu", k + 1);
	else
		(s->output_format == OUTPUT_FORMAT_MARKDOWN ? escape_markdown : escape_terminal)(
			o, str_from(run->file[k]));
}

static void say_by(struct out *o, const struct noisy *v, double octaves)
{
	say_change(o, octaves);
	out_text(o, v->about == ABOUT_CALLS ? " calls" : " latency");
}

static void say_why(struct out *o, const struct style *s, const struct run *run,
		    const struct noisy *v)
{
	switch (v->why) {
	case UNSTABLE_FEW_CALLS:
		out_text(o, "too few calls in some run to test");
		break;
	case UNSTABLE_OUTLIER_RUN:
		out_text(o, "one outlier run, ");
		say_run(o, s, run, v->run);
		out_text(o, ", against the others ");
		say_by(o, v, v->by);
		break;
	case UNSTABLE_TWO_GROUPS:
		out_text(o, "runs are of two kinds, of which one has ");
		say_by(o, v, v->by);
		break;
	case UNSTABLE_DRIFT:
		out_text(o, "drifts from the first run to the last, ");
		say_by(o, v, v->by);
		break;
	case UNSTABLE_NOISY:
		out_text(o, "noisy: in one run changes below ");
		say_by(o, v, v->about == ABOUT_CALLS ? v->one.calls : floor_of_latency(&v->one));
		out_text(o, " are lost in it");
		break;
	case STABLE:
		break;
	}
}

/* Operations that are merely noisy are left out without --all: the table shows them. */
static void write_reasons(struct out *o, const struct style *s, const struct run *run,
			  const struct noise *n, bool all)
{
	bool markdown = s->output_format == OUTPUT_FORMAT_MARKDOWN, first = true;

	for (size_t i = 0; i < n->n && (all || n->v[i].weighs); i++) {
		const struct noisy *v = &n->v[i];

		if (v->why == STABLE || (v->why == UNSTABLE_NOISY && !all))
			continue;
		out_text(o, first ? "\n" : "");
		first = false;
		out_text(o, markdown ? "- **" : "");
		tone_begin(o, s, TONE_STRONG);
		(markdown ? escape_markdown : escape_terminal)(o, v->op->name);
		tone_end(o, s, TONE_STRONG);
		out_text(o, markdown ? "**: " : ": ");
		say_why(o, s, run, v);
		out_char(o, '\n');
	}
}

static void say_halves(struct out *o, const struct noise *n)
{
	if (n->halves.n == 0)
		out_text(o, "Three runs make no halves that could be compared: two a side are "
			    "needed.\n");
	else if (!n->halves.all)
		out_printf(o, "Halves were drawn %zu times, seed %llu.\n", n->halves.n,
			   (unsigned long long)n->rules.seed);
}

static void noise_text(struct out *o, const struct style *s, const struct run *run,
		       const struct noise *n, bool all)
{
	size_t shown = 0;

	part_heading(o, "", run);
	out_char(o, '\n');
	if (n->halves.n > 0)
		say_trust(o, n, &n->halves, "repeated runs");
	say_trust(o, n, &n->one, "one new run against a baseline");
	say_smallest(o, n);
	say_halves(o, n);
	out_char(o, '\n');
	replay_table(o, s, n);
	out_text(o, "\nSmallest effect that shows: on latency between halves and in one run; on "
		    "the number\nof calls and the odds of a slow call in one run.\n\n");
	operation_table(o, s, n, all);
	write_reasons(o, s, run, n, all);
	while (shown < n->n && n->v[shown].weighs)
		shown++;
	if (shown < n->n && !all)
		out_printf(o,
			   "\n%zu more operation%s too small a part of the run to be "
			   "reported; --all shows %s.\n",
			   n->n - shown, n->n - shown == 1 ? " is" : "s are",
			   n->n - shown == 1 ? "it" : "them");
}

void report_noise(struct out *o, const struct style *s, const struct run *run,
		  const struct noise *n, bool all)
{
	if (s->output_format == OUTPUT_FORMAT_JSON)
		noise_json(o, run, n);
	else if (s->output_format == OUTPUT_FORMAT_CSV)
		operation_table(o, s, n, true);
	else
		noise_text(o, s, run, n, all);
}
