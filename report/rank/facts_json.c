/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Facts of an operation, and the verdict on the run, as JSON. */
#include "analyze/rank/facts.h"

#include <math.h>

#include "analyze/rank/run_verdict.h"
#include "analyze/rank/waits.h"
#include "base/arena.h"
#include "report/jout.h"
#include "report/rank/gate.h"
#include "report/rank/rank_output.h"
#include "report/report.h"

static const char *run_file(const struct run *run, size_t at)
{
	return at < run->n_files ? run->file[at] : run->path;
}

static void jout_interval(struct jout *j, double low, double high)
{
	if (isnan(low)) {
		jout_null(j, "interval");
		return;
	}
	jout_flat_array(j, "interval");
	jout_f64(j, NULL, low);
	jout_f64(j, NULL, high);
	jout_end_array(j);
}

static void jout_quantile_side(struct jout *j, const char *key, const struct fact_side *s)
{
	jout_flat_array(j, key);
	jout_f64(j, NULL, s->low);
	jout_f64(j, NULL, s->value);
	jout_f64(j, NULL, s->high);
	jout_end_array(j);
}

static void jout_range_side(struct jout *j, const char *key, const struct fact_side *s)
{
	jout_flat_object(j, key);
	jout_f64(j, "count", s->value);
	jout_f64(j, "share", s->share);
	jout_end_object(j);
}

static void jout_slow_side(struct jout *j, const char *key, const struct fact_side *s)
{
	jout_flat_object(j, key);
	jout_f64(j, "count", s->value);
	jout_f64(j, "latency", s->latency);
	jout_end_object(j);
}

static void jout_states(struct jout *j, const struct comparison *c, const struct fact *f)
{
	const struct run *side = f->after_has_states ? &c->after : &c->before;
	size_t first = f->after_has_states ? c->before.n_runs : 0;

	jout_text(j, "side", f->after_has_states ? "after" : "before");
	jout_flat_array(j, "runs");
	for (size_t i = 0; i < f->states->n; i++)
		jout_text(j, NULL, run_file(side, f->states->at[i] - first));
	jout_end_array(j);
	jout_u64(j, "of", f->states->of);
	jout_f64(j, "factor", f->states->factor);
	jout_f64(j, "p_value", f->p);
}

static void jout_bounds_of(struct jout *j, const struct fact *f)
{
	static const char *const names[] = { "mean", "p50", "p99" };

	jout_flat_object(j, "bounds");
	for (int i = 0; i < 3; i++) {
		if (!isnan(f->bound[i]))
			jout_f64(j, names[i], f->bound[i]);
	}
	jout_end_object(j);
}

void jout_fact(struct jout *j, const struct comparison *c, const struct ranked *r,
	       const struct fact *f)
{
	jout_flat_object(j, NULL);
	jout_text(j, "kind", fact_kind_name(f->kind));
	switch (f->kind) {
	case FACT_MEAN:
	case FACT_CALLS:
	case FACT_TOTAL:
	case FACT_MAX:
		jout_f64(j, "before", f->before.value);
		jout_f64(j, "after", f->after.value);
		jout_interval(j, f->change_low, f->change_high);
		jout_f64(j, "p_value", f->p);
		break;
	case FACT_QUANTILE:
		jout_f64(j, "p", f->quantile);
		jout_quantile_side(j, "before", &f->before);
		jout_quantile_side(j, "after", &f->after);
		jout_interval(j, f->change_low, f->change_high);
		jout_f64(j, "p_value", f->p);
		break;
	case FACT_RANGE:
		jout_f64(j, "low", f->low);
		jout_f64(j, "high", f->high);
		jout_range_side(j, "before", &f->before);
		jout_range_side(j, "after", &f->after);
		break;
	case FACT_SLOW:
		jout_f64(j, "beyond", f->low);
		jout_slow_side(j, "before", &f->before);
		jout_slow_side(j, "after", &f->after);
		jout_f64(j, "p_value", f->p);
		break;
	case FACT_STATES:
		jout_states(j, c, f);
		break;
	case FACT_SAME:
		jout_bounds_of(j, f);
		break;
	case FACT_WAIT:
		jout_text(j, "role", wait_role_name(r->wait));
		jout_bool(j, "judged", r->wait == WAIT_MATTERS || r->wait == WAIT_RELATIVE);
		break;
	case FACT_SLOWEST: /* of one run */
		break;
	}
	jout_end_object(j);
}

void jout_facts(struct jout *j, struct arena *a, const struct comparison *c, const struct ranked *r)
{
	struct facts facts = facts_of(a, c->ranking, r, c->runs, c->rules);

	jout_array(j, "facts");
	for (size_t i = 0; i < facts.n; i++)
		jout_fact(j, c, r, &facts.v[i]);
	jout_end_array(j);
}

/* --- the run ------------------------------------------------------------------------------ */

static const char *source_name(const struct elapsed_change *e)
{
	return isnan(e->grew)
		       ? NULL
		       : elapsed_source_name(e->before.source > e->after.source ? e->before.source
										: e->after.source);
}

static void jout_elapsed(struct jout *j, const struct ranking *all)
{
	const struct elapsed_change *e = &all->elapsed;

	jout_flat_object(j, "elapsed");
	jout_f64(j, "before", e->before.elapsed);
	jout_f64(j, "after", e->after.elapsed);
	jout_f64(j, "p", all->run.elapsed.p);
	jout_text(j, "source", source_name(e));
	jout_end_object(j);
}

static void jout_shared(struct jout *j, const struct comparison *c)
{
	const struct ranking *all = c->ranking;
	const struct run_verdict *run = &all->run;
	bool known = !isnan(run->shared.value);

	jout_object(j, "shared");
	jout_f64(j, "factor", known ? exp2(run->shared.value) : 1);
	jout_f64(j, "low", exp2(run->shared.low));
	jout_f64(j, "high", exp2(run->shared.high));
	jout_f64(j, "per_call", all->effects.per_call);
	jout_flat_array(j, "operations");
	for (size_t i = 0; i < all->n; i++) {
		if (all->v[i].shared)
			jout_str(j, NULL, ranked_operation(&all->v[i])->name);
	}
	jout_end_array(j);
	jout_u64(j, "of", run->of);
	jout_bool(j, "tie", all->effects.tie);
	jout_f64(j, "p", run->shared.p);
	jout_end_object(j);
}

static const char *work_name(const struct ranking *all)
{
	for (size_t i = 0; i < all->n && !all->fixed_duration; i++) {
		if (all->v[i].fixed_duration)
			return "fixed-duration";
	}
	return all->fixed_duration ? "fixed-duration" : "unknown";
}

static void jout_left_out(struct jout *j, const struct ranking *all)
{
	jout_array(j, "left_out");
	for (size_t i = 0; i < all->n; i++) {
		const struct ranked *r = &all->v[i];

		if (r->runs == NULL || r->runs->tested || r->before == NULL || r->after == NULL)
			continue;
		jout_flat_object(j, NULL);
		jout_str(j, "operation", ranked_operation(r)->name);
		jout_text(j, "why", "too few calls to test");
		jout_end_object(j);
	}
	jout_end_array(j);
}

void jout_run(struct jout *j, const struct comparison *c)
{
	const struct ranking *all = c->ranking;

	jout_object(j, "run");
	jout_text(j, "verdict", run_verdict_name(all));
	jout_elapsed(j, all);
	jout_shared(j, c);
	jout_text(j, "work", work_name(all));
	jout_text(j, "order", runs_order_name(all->run.order));
	jout_left_out(j, all);
	jout_end_object(j);
}

void jout_gate(struct jout *j, const struct comparison *c)
{
	static const char *const results[] = { [GATE_PASSED] = "passed",
					       [GATE_FAILED] = "failed",
					       [GATE_INCONCLUSIVE] = "inconclusive" };
	struct gate gate = comparison_gate(c);
	size_t line;
	bool run_fails = gate_run_fails(gate, &line);

	jout_object(j, "gate");
	jout_text(j, "status", results[gate_result(gate, true)]);
	jout_bool(j, "run", run_fails);
	jout_flat_array(j, "failed");
	if (run_fails)
		jout_text(j, NULL, "the run as a whole");
	for (size_t i = 0; i < c->ranking->n; i++) {
		if (gate_ruling(gate, &c->ranking->v[i]).failed)
			jout_str(j, NULL, ranked_operation(&c->ranking->v[i])->name);
	}
	jout_end_array(j);
	jout_u64(j, "regressed_below_min_share", gate_small_regressions(gate));
	jout_array(j, "not_judged");
	for (size_t i = 0; i < c->ranking->n; i++) {
		const struct ranked *r = &c->ranking->v[i];

		if (!wait_is_left_out(r->wait))
			continue;
		jout_flat_object(j, NULL);
		jout_str(j, "name", ranked_operation(r)->name);
		jout_f64(j, "added", r->run_after.total - r->run_before.total);
		jout_text(j, "why", wait_role_name(r->wait));
		jout_end_object(j);
	}
	jout_end_array(j);
	jout_end_object(j);
}
