/* SPDX-License-Identifier: GPL-3.0-or-later */
/* osprof rank as JSON: schema osprof.rank/1, which osprof(1) documents. */
#include <math.h>

#include "base/arena.h"
#include "base/out.h"
#include "report/hosts.h"
#include "report/jout.h"
#include "report/parts.h"
#include "report/quantiles.h"
#include "report/rank/gate.h"
#include "report/rank/rank_output.h"
#include "report/rank/statements.h"
#include "report/report.h"
#include "report/runs.h"

static void write_side(struct jout *j, const struct comparison *c, const struct ranked *r,
		       const struct ranked_peaks *peaks, bool before)
{
	const struct operation *op = before ? r->before : r->after;
	const struct in_run *one = before ? &r->run_before : &r->run_after;
	double total = before ? r->total_before : r->total_after;

	jout_object(j, before ? "before" : "after");
	jout_u64(j, "count", op != NULL ? operation_count(op) : 0);
	jout_f64(j, "total", total);
	jout_f64(j, "count_per_run", one->calls);
	jout_f64(j, "total_per_run", one->total);
	if (op != NULL && op->own_known != OWN_TOTAL) {
		double scale = operation_total(op) > 0 ? total / operation_total(op) : 1;

		jout_f64(j, "self", total * operation_own_part(op));
		jout_f64(j, "inclusive", operation_inclusive(op) * scale);
	}
	jout_bool(j, "total_exact", op != NULL && operation_total_exact(op));
	jout_u64(j, "runs", op == NULL ? 0 : before ? c->before.n_runs : c->after.n_runs);
	jout_matched_peaks(j, peaks, before);
	if (c->show.histograms)
		jout_buckets(j, op != NULL ? &op->hist : NULL,
			     before ? 1 : c->ranking->scale_after);
	jout_end_object(j);
}

/* Writes the first statement, and all of them. */
static void jout_statements(struct jout *j, struct arena *a, const struct comparison *c,
			    const struct ranked *r)
{
	struct statements all = statements_of(a, c, r), first = all;
	struct out *o = out_to_memory();

	first.n = 1;
	say_statements(o, &first);
	jout_str(j, "explanation", out_memory(o));
	out_reset(o);
	say_statements(o, &all);
	jout_str(j, "text", out_memory(o));
	out_free(o);
}

/* Writes the effects as log2 ratios, and the threshold for reporting them. */
static void jout_effects(struct jout *j, const struct ranked *r)
{
	jout_f64(j, "mean_log2_ratio", r->mean_octaves);
	jout_f64(j, "body_log2_ratio", r->body_octaves);
	jout_f64(j, "calls_log2_ratio", r->calls_octaves);
	jout_f64(j, "run_effect_log2_ratio", r->effect_octaves);
	jout_f64(j, "threshold", r->threshold);
	jout_flat_object(j, "slow_calls");
	jout_f64(j, "limit", r->slow.limit);
	jout_f64(j, "before", r->slow.before);
	jout_f64(j, "after", r->slow.after);
	jout_f64(j, "p", r->slow.p);
	jout_bool(j, "preempted", r->slow.preempted);
	jout_end_object(j);
	jout_text(j, "doubt", r->doubt == DOUBT_NONE ? NULL : doubt_name(r->doubt));
	jout_bool(j, "idle", r->idle);
	jout_bool(j, "fixed_duration", r->fixed_duration);
	if (r->renamed)
		jout_str(j, "name_after", r->after->name);
	else
		jout_null(j, "name_after");
}

static void ranked_json(struct jout *j, struct arena *a, const struct comparison *c,
			const struct ranked *r)
{
	const struct operation *op = ranked_operation(r);
	const struct ruling ruling = gate_ruling(comparison_gate(c), r);
	struct ranked_peaks p = rank_peaks(a, r, c->ranking->scale_after);

	jout_object(j, NULL);
	jout_str(j, "name", op->name);
	jout_str(j, "layer", op->layer);
	jout_bool(j, "reported", r->reported);
	jout_bool(j, "approximated", r->approximated);
	jout_text(j, "verdict", verdict_name(r->verdict));
	jout_f64(j, "score", r->score);
	jout_effects(j, r);
	jout_metrics(j, r->metric);
	if (c->runs != NULL)
		jout_replicate_stats(j, r->runs);
	write_side(j, c, r, &p, true);
	write_side(j, c, r, &p, false);
	jout_quantiles(j, c, r);
	jout_statements(j, a, c, r);
	jout_facts(j, a, c, r);
	jout_bool(j, "expected", ruling.expected);
	jout_bool(j, "failed", ruling.failed);
	if (ruling.failed)
		jout_str(j, "failure", gate_reason(a, c, r));
	else
		jout_null(j, "failure");
	jout_end_object(j);
}

static const char *judged_by(const struct comparison *c)
{
	return c->runs == NULL	      ? "effects"
	       : c->hosts != NULL     ? "hosts"
	       : c->runs->n_after > 1 ? "runs"
				      : "prediction";
}

static void json_where(struct jout *j, const char *key, const struct profile *p)
{
	jout_flat_object(j, key);
	if (p->machine.n > 0)
		jout_str(j, "machine", p->machine);
	else
		jout_null(j, "machine");
	if (p->kernel.n > 0)
		jout_str(j, "kernel", p->kernel);
	else
		jout_null(j, "kernel");
	jout_f64(j, "started", p->started > 0 ? p->started : NAN);
	jout_f64(j, "cpu_speed", p->cpu_speed > 0 ? p->cpu_speed : NAN);
	jout_end_object(j);
}

static void json_baseline(struct jout *j, const struct comparison *c)
{
	json_where(j, "captured_before", c->before.profile);
	json_where(j, "captured_after", c->after.profile);
	if (c->baseline == NULL) {
		jout_null(j, "baseline");
		return;
	}
	jout_flat_object(j, "baseline");
	jout_u64(j, "runs", c->baseline->baseline.n_runs);
	jout_u64(j, "replays", c->baseline->baseline.replays);
	jout_u64(j, "alarms", c->baseline->baseline.alarms);
	jout_end_object(j);
}

static void jout_headline(struct jout *j, const struct comparison *c)
{
	const struct style plain = { .output_format = OUTPUT_FORMAT_TEXT };
	struct out *o = out_to_memory();

	rank_headline(o, &plain, c);
	jout_str(j, "headline", out_memory(o));
	out_free(o);
}

/* Writes what concerns the whole run: effects on every operation, idle time, workload. */
static void json_run(struct jout *j, const struct comparison *c)
{
	const struct ranking *all = c->ranking;
	size_t line;

	jout_flat_object(j, "run_effects");
	jout_f64(j, "factor", all->effects.factor);
	jout_f64(j, "per_call", all->effects.per_call);
	jout_u64(j, "operations", all->effects.operations);
	jout_u64(j, "of", all->effects.of);
	jout_end_object(j);
	jout_object(j, "idle");
	jout_flat_array(j, "operations");
	for (size_t i = 0; i < all->n; i++) {
		const struct ranked *r = &all->v[i];

		if (r->idle)
			jout_str(j, NULL, ranked_operation(r)->name);
	}
	jout_end_array(j);
	jout_f64(j, "before", all->before.idle / (double)all->n_before);
	jout_f64(j, "after", all->after.idle * all->scale_after / (double)all->n_after);
	jout_end_object(j);
	jout_bool(j, "run_failed", gate_run_fails(comparison_gate(c), &line));
	jout_bool(j, "fixed_duration", all->fixed_duration);
	jout_f64(j, "iterations_log2_ratio", all->iterations_octaves);
}

void rank_json(struct out *o, const struct comparison *c)
{
	struct jout j = jout_on(o);
	struct arena *a = arena_new();

	jout_document(&j, "osprof.rank/1");
	jout_files(&j, "before", &c->before);
	jout_files(&j, "after", &c->after);
	jout_unit(&j, "unit", c->before.profile->unit);
	jout_bool(&j, "replicated", c->runs != NULL && c->runs->n_after > 1);
	jout_text(&j, "judged_by", judged_by(c));
	json_baseline(&j, c);
	jout_cautions(&j, c);
	if (c->runs != NULL)
		jout_judgement(&j, c->runs);
	jout_hosts(&j, c);
	jout_text(&j, "metric", distance_at(c->metric)->name);
	json_run(&j, c);
	jout_run(&j, c);
	jout_gate(&j, c);
	jout_headline(&j, c);
	jout_text(&j, "policy", c->policy_path);
	jout_array(&j, "operations");
	for (size_t i = 0; i < c->ranking->n; i++) {
		arena_clear(a);
		ranked_json(&j, a, c, &c->ranking->v[i]);
	}
	jout_end_array(&j);
	jout_end_object(&j);
	jout_finish(&j);
	arena_free(a);
}
