/* SPDX-License-Identifier: GPL-3.0-or-later */
/* osprof history as JSON. */
#include "report/history_parts.h"
#include "report/jout.h"
#include "report/parts.h"
#include "report/report.h"

const char *change_kind_name(enum change_kind k)
{
	static const char *const names[] = {
		[CHANGE_STEP] = "step",
		[CHANGE_DRIFT] = "drift",
		[CHANGE_NEW] = "new",
		[CHANGE_GONE] = "gone",
	};

	return names[k];
}

static void level_json(struct jout *j, const char *key, const struct level *l)
{
	jout_flat_object(j, key);
	jout_f64(j, "mean", l->mean);
	jout_f64(j, "calls", l->calls);
	jout_u64(j, "runs", l->n);
	jout_end_object(j);
}

static void change_json(struct jout *j, const struct history_findings *f, const struct change *c)
{
	jout_object(j, NULL);
	jout_text(j, "kind", change_kind_name(c->kind));
	jout_text(j, "verdict", verdict_name(c->verdict));
	jout_u64(j, "at", c->at + 1);
	jout_text(j, "run", f->run[c->at].name);
	jout_u64(j, "until", c->end);
	jout_f64(j, "p", c->p);
	jout_f64(j, "q", c->q);
	level_json(j, "before", &c->before);
	level_json(j, "after", &c->after);
	for (int i = 0; i < N_HISTORY_FEATURES; i++)
		jout_f64(j, history_feature_keys[i], c->effect[i]);
	jout_flat_array(j, "significant");
	for (int i = 0; i < N_HISTORY_FEATURES; i++) {
		if (c->significant[i])
			jout_text(j, NULL, history_feature_keys[i]);
	}
	jout_end_array(j);
	jout_end_object(j);
}

static void past_json(struct jout *j, const struct history_findings *f, const struct past *p)
{
	jout_array(j, "changes");
	for (size_t i = 0; i < p->n_changes; i++)
		change_json(j, f, &p->change[i]);
	jout_end_array(j);
	jout_array(j, "outliers");
	for (size_t i = 0; i < p->n_outliers; i++) {
		jout_flat_object(j, NULL);
		jout_u64(j, "at", p->outlier[i].run + 1);
		jout_text(j, "run", f->run[p->outlier[i].run].name);
		jout_f64(j, "mean_shift", p->outlier[i].mean);
		jout_f64(j, "calls_shift", p->outlier[i].calls);
		jout_end_object(j);
	}
	jout_end_array(j);
}

static void numbers_json(struct jout *j, const char *key, const double *v, size_t n)
{
	jout_flat_array(j, key);
	for (size_t k = 0; k < n; k++)
		jout_f64(j, NULL, v[k]);
	jout_end_array(j);
}

static void operation_json(struct jout *j, const struct history_findings *f, const struct past *p)
{
	jout_object(j, NULL);
	jout_str(j, "name", p->name);
	jout_str(j, "layer", p->layer);
	if (p->unit != f->unit)
		jout_unit(j, "unit", p->unit);
	jout_bool(j, "reported", p->reported);
	jout_bool(j, "tested", p->tested);
	jout_u64(j, "present", p->n_present);
	jout_f64(j, "share", p->share);
	past_json(j, f, p);
	numbers_json(j, "mean", p->mean, f->n_runs);
	numbers_json(j, "calls", p->calls, f->n_runs);
	jout_end_object(j);
}

static void run_effect_json(struct jout *j, const struct history_findings *f)
{
	jout_object(j, "run_effect");
	jout_bool(j, "removed", f->run_effect_removed);
	past_json(j, f, &f->run_effect);
	numbers_json(j, "shift", f->run_effect.mean, f->n_runs);
	jout_end_object(j);
}

void history_json(struct out *o, const struct history_report *c)
{
	const struct history_findings *f = c->findings;
	struct jout j = jout_on(o);

	jout_document(&j, "osprof.history/1");
	jout_unit(&j, "unit", f->unit);
	jout_array(&j, "runs");
	for (size_t k = 0; k < f->n_runs; k++) {
		jout_flat_object(&j, NULL);
		jout_text(&j, "path", f->run[k].name);
		jout_u64(&j, "files", f->run[k].n_files);
		jout_f64(&j, "latency", f->run[k].latency);
		jout_end_object(&j);
	}
	jout_end_array(&j);
	jout_u64(&j, "seed", f->rules.runs.seed);
	jout_u64(&j, "shuffles", f->rules.shuffles);
	jout_f64(&j, "min_effect", f->rules.runs.min_effect);
	jout_f64(&j, "min_calls", f->rules.runs.min_calls);
	jout_u64(&j, "tested", f->n_tested);
	jout_u64(&j, "searched", f->n_searched);
	jout_u64(&j, "recent", c->recent);
	jout_bool(&j, "failed", c->failed);
	jout_f64(&j, "speed_range", f->speed_range);
	jout_bool(&j, "speed_removed", f->speed_removed);
	run_effect_json(&j, f);
	jout_array(&j, "operations");
	for (size_t i = 0; i < f->n; i++)
		operation_json(&j, f, &f->v[i]);
	jout_end_array(&j);
	jout_end_object(&j);
	jout_finish(&j);
}
