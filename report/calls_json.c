/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "base/out.h"
#include "report/calls_parts.h"
#include "report/jout.h"

static bool has_section(const struct calls_report *r, enum calls_section section)
{
	return (r->sections & 1U << section) != 0;
}

/* Writes a name, or null when there is none. */
static void json_name(struct jout *j, const char *key, const struct call_names *names, uint32_t i)
{
	if (i == 0)
		jout_null(j, key);
	else
		jout_str(j, key, names->v[i]);
}

static void json_what(struct jout *j, const char *key, struct str what)
{
	if (what.n == 0)
		jout_null(j, key);
	else
		jout_str(j, key, what);
}

static void json_operation(struct jout *j, const struct calls *c, uint32_t operation)
{
	jout_str(j, "name", c->operations.v[operation]);
}

static void json_spread(struct jout *j, const char *key, const struct spread *s)
{
	if (isnan(s->median)) {
		jout_null(j, key);
		return;
	}
	jout_flat_object(j, key);
	jout_f64(j, "min", s->min);
	jout_f64(j, "median", s->median);
	jout_f64(j, "mean", s->mean);
	jout_f64(j, "max", s->max);
	jout_end_object(j);
}

static void json_summary(struct jout *j, const struct calls_run *run)
{
	const struct calls_summary *s = &run->side.summary;
	const struct calls *c = run->side.calls;

	jout_object(j, "summary");
	json_what(j, "command", c->command);
	json_what(j, "clock", c->clock);
	jout_u64(j, "calls", c->n);
	jout_u64(j, "lost", c->lost);
	jout_u64(j, "processes", c->n_processes);
	jout_u64(j, "threads", c->n_threads);
	jout_u64(j, "operations", s->n_operations);
	jout_u64(j, "sites", s->n_sites);
	jout_f64(j, "duration", s->duration);
	jout_f64(j, "latency", s->latency);
	jout_f64(j, "cpu", s->cpu);
	jout_f64(j, "blocked", s->blocked);
	jout_u64(j, "blocked_calls", s->n_blocked);
	jout_u64(j, "preempted_calls", s->n_preempted);
	jout_u64(j, "kernel_calls", s->n_kernel);
	jout_f64(j, "minor_faults", s->minor_faults);
	jout_f64(j, "major_faults", s->major_faults);
	jout_end_object(j);
}

static void json_blocking(struct jout *j, const struct calls_run *run)
{
	const struct blocking *b = &run->side.blocking;
	const struct calls *c = run->side.calls;

	jout_array(j, "blocking");
	for (size_t i = 0; i < b->n; i++) {
		const struct blocking_column *column = &b->column[i];

		jout_object(j, NULL);
		json_name(j, "resource", &c->resources, column->resource);
		jout_u64(j, "calls", column->calls);
		jout_f64(j, "blocked", column->time);
		jout_array(j, "operations");
		for (size_t k = 0; k < column->n; k++) {
			jout_flat_object(j, NULL);
			json_operation(j, c, column->cell[k].operation);
			jout_u64(j, "calls", column->cell[k].calls);
			jout_f64(j, "blocked", column->cell[k].time);
			jout_end_object(j);
		}
		jout_end_array(j);
		jout_end_object(j);
	}
	jout_end_array(j);
}

static void json_sites(struct jout *j, const struct calls_run *run)
{
	const struct site_costs *s = &run->side.sites;
	const struct calls *c = run->side.calls;

	jout_array(j, "sites");
	for (size_t i = 0; i < s->n; i++) {
		const struct site_cost *v = &s->v[i];

		jout_flat_object(j, NULL);
		json_operation(j, c, v->operation);
		json_name(j, "site", &c->sites, v->site);
		jout_u64(j, "calls", v->calls);
		jout_f64(j, "total", v->total);
		jout_f64(j, "share", s->total > 0 ? v->total / s->total : NAN);
		jout_f64(j, "cpu", v->cpu);
		jout_f64(j, "blocked", v->blocked);
		jout_u64(j, "blocked_calls", v->n_blocked);
		jout_u64(j, "preempted_calls", v->n_preempted);
		jout_f64(j, "minor_faults", v->minor_faults);
		jout_f64(j, "major_faults", v->major_faults);
		json_spread(j, "latency", &v->latency);
		jout_end_object(j);
	}
	jout_end_array(j);
}

static void json_trends(struct jout *j, const struct calls_run *run)
{
	const struct calls *c = run->side.calls;

	jout_array(j, "trends");
	for (size_t i = 0; i < run->trends.n; i++) {
		const struct trend *t = &run->trends.v[i];

		jout_flat_object(j, NULL);
		json_operation(j, c, t->operation);
		jout_bool(j, "all_sites", t->all_sites);
		json_name(j, "site", &c->sites, t->site);
		jout_text(j, "verdict", trend_verdict_name(t->verdict));
		jout_u64(j, "calls", t->calls);
		jout_u64(j, "processes", t->n_processes);
		jout_u64(j, "looked_at", t->n_looked_at);
		jout_f64(j, "first", t->first);
		jout_f64(j, "last", t->last);
		jout_f64(j, "slope", t->slope);
		jout_f64(j, "tau", t->tau);
		jout_f64(j, "p", t->p);
		jout_f64(j, "q", t->q);
		jout_f64(j, "extra", t->n_processes > 0 ? t->extra : NAN);
		jout_bool(j, "telling", t->telling);
		jout_end_object(j);
	}
	jout_end_array(j);
}

static void json_times(struct jout *j, const struct calls_run *run)
{
	const struct calls *c = run->side.calls;

	jout_array(j, "times");
	for (size_t i = 0; i < run->times.n; i++) {
		const struct call_times *t = &run->times.v[i];

		jout_object(j, NULL);
		json_operation(j, c, t->operation);
		jout_u64(j, "calls", t->calls);
		jout_u64(j, "kernel_calls", t->n_kernel);
		jout_u64(j, "blocked_calls", t->n_blocked);
		jout_u64(j, "preempted_calls", t->n_preempted);
		json_spread(j, "user", &t->user);
		json_spread(j, "kernel", &t->kernel);
		json_spread(j, "undisturbed", &t->undisturbed);
		jout_flat_object(j, "beyond");
		jout_text(j, "what", t->n_kernel > 0 ? "kernel" : "cpu");
		jout_f64(j, "total", t->beyond);
		jout_f64(j, "blocked", t->beyond_blocked);
		jout_f64(j, "preempted", t->beyond_preempted);
		jout_end_object(j);
		jout_end_object(j);
	}
	jout_end_array(j);
}

static void json_overlap(struct jout *j, const struct calls_run *run)
{
	const struct calls *c = run->side.calls;

	jout_array(j, "overlap");
	for (size_t i = 0; i < run->overlaps.n; i++) {
		const struct overlap *v = &run->overlaps.v[i];

		jout_object(j, NULL);
		json_operation(j, c, v->operation);
		jout_f64(j, "limit", v->limit);
		jout_u64(j, "slow_calls", v->n_slow);
		jout_f64(j, "slow_time", v->slow_time);
		jout_array(j, "with");
		for (size_t k = 0; k < v->n; k++) {
			jout_flat_object(j, NULL);
			json_operation(j, c, v->with[k].operation);
			jout_f64(j, "share", v->with[k].slow_share);
			jout_f64(j, "share_of_others", v->with[k].other_share);
			jout_f64(j, "ended_with", v->with[k].ended_with);
			jout_f64(j, "others_ended_with", v->with[k].other_ended_with);
			jout_bool(j, "waits", v->with[k].waits);
			jout_end_object(j);
		}
		jout_end_array(j);
		jout_end_object(j);
	}
	jout_end_array(j);
}

static void json_side(struct jout *j, const struct calls_report *r, const struct calls_run *run)
{
	static void (*const part[])(struct jout *, const struct calls_run *) = {
		[CALLS_SUMMARY] = json_summary, [CALLS_BLOCKING] = json_blocking,
		[CALLS_SITES] = json_sites,	[CALLS_TRENDS] = json_trends,
		[CALLS_TIMES] = json_times,	[CALLS_OVERLAP] = json_overlap,
	};

	jout_object(j, NULL);
	jout_text(j, "path", run->path);
	jout_u64(j, "n_runs", run->side.calls->n_runs);
	for (int i = 0; i < N_CALLS_SECTIONS; i++) {
		if (has_section(r, (enum calls_section)i))
			part[i](j, run);
	}
	jout_end_object(j);
}

static void json_changes(struct jout *j, const char *key, const char *what,
			 const struct call_changes *c)
{
	jout_array(j, key);
	for (size_t i = 0; i < c->n; i++) {
		const struct call_change *v = &c->v[i];

		jout_flat_object(j, NULL);
		jout_str(j, "name", v->operation);
		json_what(j, what, v->what);
		jout_f64(j, "calls_before", v->calls_before);
		jout_f64(j, "calls_after", v->calls_after);
		jout_f64(j, "time_before", v->time_before);
		jout_f64(j, "time_after", v->time_after);
		jout_end_object(j);
	}
	jout_end_array(j);
}

void calls_json(struct out *o, const struct calls_report *r)
{
	struct jout j = jout_on(o);

	jout_document(&j, "osprof.calls/1");
	jout_text(&j, "unit", "ns");
	jout_array(&j, "runs");
	json_side(&j, r, r->before);
	if (r->after != NULL)
		json_side(&j, r, r->after);
	jout_end_array(&j);
	if (r->after != NULL && has_section(r, CALLS_SITES))
		json_changes(&j, "site_changes", "site", &r->sites);
	if (r->after != NULL && has_section(r, CALLS_BLOCKING))
		json_changes(&j, "blocking_changes", "resource", &r->blocking);
	jout_end_object(&j);
	jout_finish(&j);
}
