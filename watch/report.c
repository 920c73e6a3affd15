/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "watch/report.h"

#include <math.h>

#include "base/escape.h"
#include "base/out.h"
#include "report/jout.h"
#include "watch/alarm_table.h"
#include "watch/sources/forward.h"

static const char *const source_state_names[] = { "open", "waiting", "ended", "failed" };

static struct jout begin_line(struct out *o, const char *event, double time, uint64_t sequence)
{
	struct jout j = jout_on(o);

	jout_flat_object(&j, NULL);
	jout_text(&j, "schema", "osprof.watch/1");
	jout_text(&j, "event", event);
	jout_f64(&j, "time", time);
	jout_u64(&j, "sequence", sequence);
	return j;
}

static void finish_line(struct jout *j)
{
	jout_end_object(j);
	jout_finish(j);
}

static void flush_line(struct reporter *r)
{
	r->sequence++;
	out_flush(r->out);
}

/* Ends an event with its words, which it frees: the last member of its object, or a line. */
static void finish_words(struct reporter *r, struct jout *j, struct out *words)
{
	if (r->json) {
		jout_str(j, "text", out_memory(words));
		finish_line(j);
	} else {
		out_bytes(r->out, out_memory(words));
		out_char(r->out, '\n');
	}
	out_free(words);
	flush_line(r);
}

static void json_sources(struct jout *j, const struct source_status *source, size_t n)
{
	jout_flat_array(j, "sources");
	for (size_t i = 0; i < n; i++) {
		const struct ledger *l = intake_ledger(source[i].intake);

		jout_flat_object(j, NULL);
		jout_str(j, "name", str_from(source[i].name));
		jout_text(j, "format", intake_format(source[i].intake));
		jout_text(j, "state", source_state_names[source[i].state]);
		jout_u64(j, "bytes", l->in);
		jout_u64(j, "read", l->read);
		jout_u64(j, "dropped", l->dropped);
		jout_u64(j, "buffered", intake_waiting(source[i].intake));
		jout_u64(j, "lines", l->lines);
		jout_u64(j, "refused", l->refused);
		jout_u64(j, "resets", l->resets);
		jout_u64(j, "differenced", l->differenced);
		jout_u64(j, "lost", l->lost);
		jout_u64(j, "gaps", l->gaps);
		jout_u64(j, "repeated", l->repeated);
		jout_u64(j, "restarts", source[i].restarts);
		jout_end_object(j);
	}
	jout_end_array(j);
}

const double reach_times[N_REACH_TIMES] = { 900, 3600, 4 * 3600. };

static void json_reaches(struct jout *j, const struct watch_reaches *r)
{
	jout_flat_object(j, "reach");
	jout_u64(j, "operations", r->n);
	jout_f64(j, "least", r->min);
	jout_f64(j, "median", r->median);
	jout_f64(j, "largest", r->largest);
	jout_end_object(j);
}

static void json_reach_after(struct jout *j, const struct watch_rules *rules)
{
	jout_flat_array(j, "reach_after");
	for (int i = 0; i < N_REACH_TIMES; i++) {
		double reach = watch_reach_after(rules, reach_times[i]);

		jout_flat_object(j, NULL);
		jout_f64(j, "seconds", reach_times[i]);
		jout_f64(j, "latency", isinf(reach) ? NAN : reach);
		jout_end_object(j);
	}
	jout_end_array(j);
}

static void json_reach_of_all(struct jout *j, const struct watch *judge)
{
	jout_flat_array(j, "reach");
	for (size_t i = 0; i < watch_operations(judge); i++) {
		struct watch_reach r = watch_reach_of(judge, i);

		jout_flat_object(j, NULL);
		jout_str(j, "name", r.name);
		jout_str(j, "layer", r.layer);
		jout_f64(j, "latency", r.latency);
		jout_end_object(j);
	}
	jout_end_array(j);
}

void report_start(struct reporter *r, const struct reported_start *s,
		  const struct source_status *source, size_t n)
{
	struct jout j;

	if (!r->json)
		return;
	j = begin_line(r->out, "start", NAN, r->sequence);
	jout_text(&j, "version", s->version);
	jout_f64(&j, "every", s->every);
	jout_f64(&j, "false_alarms_per_day", s->rules.false_alarms * 86400);
	jout_f64(&j, "threshold_factor", s->rules.factor);
	jout_f64(&j, "threshold", s->threshold);
	json_reaches(&j, &s->reach);
	json_reach_after(&j, &s->rules);
	json_sources(&j, source, n);
	finish_line(&j);
	flush_line(r);
}

static void json_load(struct jout *j, const struct reported_interval *i)
{
	const struct contention *c = &i->contention;

	if (!contention_is_known(c)) {
		jout_null(j, "load");
		return;
	}
	jout_flat_object(j, "load");
	jout_f64(j, "others", contention_others(c));
	jout_f64(j, "wait", contention_wait(c) / 1e9);
	jout_bool(j, "new", i->new_load);
	jout_end_object(j);
}

void report_interval(struct reporter *r, const struct reported_interval *i,
		     const struct source_status *source, size_t n)
{
	struct jout j;

	if (!r->json)
		return;
	j = begin_line(r->out, "interval", i->span.end, r->sequence);
	jout_f64(&j, "start", i->span.start);
	jout_f64(&j, "end", i->span.end);
	jout_bool(&j, "judged", i->judged);
	jout_text(&j, "why", i->why);
	jout_bool(&j, "complete", i->complete);
	jout_bool(&j, "kept", i->kept);
	jout_u64(&j, "operations", i->operations);
	jout_u64(&j, "followed", i->followed);
	jout_u64(&j, "watched", i->judged_operations);
	jout_u64(&j, "active", i->active);
	jout_u64(&j, "possible", i->possible);
	json_reaches(&j, &i->reach);
	jout_u64(&j, "calls", i->calls);
	jout_f64(&j, "total", i->total);
	jout_text(&j, "unit", i->unit);
	json_load(&j, i);
	json_sources(&j, source, n);
	finish_line(&j);
	flush_line(r);
}

static void json_side(struct jout *j, const char *key, double count, double mean)
{
	jout_flat_object(j, key);
	jout_f64(j, "count_per_interval", count);
	jout_f64(j, "mean", mean);
	jout_end_object(j);
}

static void json_about(struct jout *j, const struct watch_event *e)
{
	if (e->id > 0)
		jout_u64(j, "id", e->id);
	if (e->common)
		jout_null(j, "name");
	else
		jout_str(j, "name", e->name);
	jout_str(j, "layer", e->layer);
	jout_text(j, "feature", watch_feature_names[e->feature]);
	jout_text(j, "direction", e->up ? "higher" : "lower");
	jout_f64(j, "effect", e->effect);
}

/* --- alarms ----------------------------------------------------------------------------------- */

/* "2026-11-22 18:00:10  alarm 3: read: latency 2.1x higher for 30 s: ..." */
static void say_alarm(struct out *o, const struct reported_alarm *a)
{
	alarm_say_time(o, a->time);
	if (a->event->what == WATCH_POSSIBLE)
		out_printf(o, "possible, %.0f min are too few to know what is usual: ",
			   a->watched / 60);
	else
		out_printf(o, "alarm %llu: ", (unsigned long long)a->event->id);
	alarm_say_operation(o, a->event);
	out_text(o, ": ");
	alarm_say_effect(o, a->event);
	out_printf(o, " for %.0f s", a->time - a->since);
	if (a->sentence.n > 0) {
		out_text(o, ": ");
		out_bytes(o, a->sentence);
	}
}

void alarm_json(struct out *o, const struct reported_alarm *a, uint64_t sequence)
{
	const char *what = a->event->what == WATCH_POSSIBLE ? "possible" : "alarm";
	struct out *words = out_to_memory();
	struct jout j = begin_line(o, what, a->time, sequence);

	json_about(&j, a->event);
	jout_f64(&j, "since", a->since);
	jout_f64(&j, "evidence", a->event->evidence);
	jout_f64(&j, "threshold", a->event->threshold);
	if (a->sentence.n > 0) {
		jout_str(&j, "verdict", a->verdict);
		jout_text(&j, "unit", a->unit);
		json_side(&j, "before", a->before_count, a->before_mean);
		json_side(&j, "after", a->after_count, a->after_mean);
		jout_str(&j, "explanation", a->sentence);
	}
	say_alarm(words, a);
	jout_str(&j, "text", out_memory(words));
	out_free(words);
	finish_line(&j);
}

void report_alarm(struct reporter *r, const struct reported_alarm *a)
{
	if (r->json) {
		alarm_json(r->out, a, r->sequence);
	} else if (r->markdown) {
		alarm_table_add(r, a);
	} else {
		say_alarm(r->out, a);
		out_char(r->out, '\n');
	}
	flush_line(r);
}

void report_resolved(struct reporter *r, const struct watch_event *e, double time)
{
	bool back = e->what == WATCH_BACK;
	struct out *words;
	struct jout j = { 0 };

	if (r->markdown) {
		alarm_table_resolve(r, e, time);
		return;
	}
	words = out_to_memory();
	if (r->json) {
		j = begin_line(r->out, "resolved", time, r->sequence);
		json_about(&j, e);
		jout_text(&j, "reason", back ? "back" : "accepted");
	}
	alarm_say_time(words, time);
	out_printf(words, "alarm %llu ends: ", (unsigned long long)e->id);
	alarm_say_operation(words, e);
	out_text(words,
		 back ? " is as before" : ": the new level persists, and is the reference now");
	finish_words(r, &j, words);
}

void report_appeared(struct reporter *r, const struct watch_event *e, double time)
{
	struct jout j;

	if (!r->json)
		return;
	j = begin_line(r->out, "appeared", time, r->sequence);
	jout_str(&j, "name", e->name);
	jout_str(&j, "layer", e->layer);
	finish_line(&j);
	flush_line(r);
}

static void say_zoom(struct out *o, const struct reported_zoom *z)
{
	alarm_say_time(o, z->end);
	out_printf(o, "zoom of alarm %llu: ", (unsigned long long)z->alarm);
	escape_terminal(o, str_from(z->source));
	out_text(o, ": ");
	if (z->path == NULL) {
		escape_terminal(o, str_from(z->message));
		return;
	}
	out_printf(o, "%llu call%s", (unsigned long long)z->calls, z->calls == 1 ? "" : "s");
	if (z->missing > 0)
		out_printf(o, " (%llu are missing)", (unsigned long long)z->missing);
	out_printf(o, " of %.0f s in ", z->end - z->start);
	escape_terminal(o, str_from(z->path));
}

static struct jout begin_zoom(struct reporter *r, const struct reported_zoom *z)
{
	struct jout j = begin_line(r->out, "zoom", z->end, r->sequence);

	jout_u64(&j, "id", z->alarm);
	if (z->name.n == 0)
		jout_null(&j, "name");
	else
		jout_str(&j, "name", z->name);
	jout_str(&j, "layer", z->layer);
	jout_str(&j, "source", str_from(z->source));
	jout_f64(&j, "start", z->start);
	jout_f64(&j, "end", z->end);
	jout_u64(&j, "calls", z->calls);
	jout_u64(&j, "missing", z->missing);
	if (z->path != NULL)
		jout_str(&j, "file", str_from(z->path));
	else
		jout_null(&j, "file");
	jout_text(&j, "message", z->message);
	return j;
}

void report_zoom(struct reporter *r, const struct reported_zoom *z)
{
	struct jout j = r->json ? begin_zoom(r, z) : (struct jout){ 0 };
	struct out *words = out_to_memory();

	say_zoom(words, z);
	finish_words(r, &j, words);
}

void report_source(struct reporter *r, double time, const struct source_status *s,
		   const char *message)
{
	struct out *words = out_to_memory();
	struct jout j = { 0 };

	if (r->json) {
		j = begin_line(r->out, "source", time, r->sequence);
		jout_str(&j, "name", str_from(s->name));
		jout_text(&j, "state", source_state_names[s->state]);
		jout_str(&j, "message", str_from(message));
	}
	alarm_say_time(words, time);
	escape_terminal(words, str_from(s->name));
	out_text(words, ": ");
	escape_terminal(words, str_from(message));
	finish_words(r, &j, words);
}

/* "; 312 intervals under a load that was new were not judged" */
static void say_new_load(struct out *o, uint64_t intervals)
{
	if (intervals > 0)
		out_printf(o, "; %llu interval%s under a load that was new %s not judged",
			   (unsigned long long)intervals, intervals == 1 ? "" : "s",
			   intervals == 1 ? "was" : "were");
}

/* "3 alarms in 14.2 days, 0.21 a day (95 %: 0.04 to 0.62); allowed: 0.033 a day" */
static void say_rate(struct out *o, const struct reported_rate *r)
{
	if (r->trial)
		out_printf(o, "threshold x %.10g: ", r->factor);
	out_printf(o,
		   "%zu intervals, %.3g days: %llu alarm%s, %.3g a day (95 %%: %.3g to %.3g); "
		   "allowed %.3g a day",
		   r->intervals, r->days, (unsigned long long)r->alarms, r->alarms == 1 ? "" : "s",
		   (double)r->alarms / r->days, r->low, r->high, r->allowed);
	say_new_load(o, r->new_load);
	out_char(o, '\n');
	if (r->trial && r->enough)
		out_printf(o, "use --threshold-factor %.10g\n", r->factor);
}

void report_rate(struct reporter *r, const struct reported_rate *rate)
{
	if (r->json) {
		struct jout j = begin_line(r->out, "rate", NAN, r->sequence);

		jout_u64(&j, "intervals", rate->intervals);
		jout_u64(&j, "new_load", rate->new_load);
		jout_f64(&j, "days", rate->days);
		jout_u64(&j, "alarms", rate->alarms);
		jout_f64(&j, "alarms_per_day", (double)rate->alarms / rate->days);
		jout_f64(&j, "low", rate->low);
		jout_f64(&j, "high", rate->high);
		jout_f64(&j, "false_alarms_per_day", rate->allowed);
		jout_f64(&j, "threshold_factor", rate->factor);
		jout_bool(&j, "enough", rate->enough);
		finish_line(&j);
	} else {
		out_text(r->out, r->markdown ? "### " : "");
		say_rate(r->out, rate);
	}
	if (r->table != NULL)
		out_char(r->out, '\n');
	reporter_release(r);
	flush_line(r);
}

static void say_ledger(struct out *o, const struct source_status *s)
{
	const struct ledger *l = intake_ledger(s->intake);

	escape_terminal(o, str_from(s->name));
	out_printf(o,
		   ": %llu bytes = %llu read + %llu dropped + %llu waiting; %llu lines, %llu not "
		   "read\n",
		   (unsigned long long)l->in, (unsigned long long)l->read,
		   (unsigned long long)l->dropped, (unsigned long long)intake_waiting(s->intake),
		   (unsigned long long)l->lines, (unsigned long long)l->refused);
}

static void json_forwarded(struct jout *j, const struct forwarded *f)
{
	if (f == NULL) {
		jout_null(j, "forwarded");
		return;
	}
	jout_flat_object(j, "forwarded");
	jout_u64(j, "profiles", f->profiles);
	jout_u64(j, "spooled", f->spooled);
	jout_u64(j, "acknowledged", f->acknowledged);
	jout_u64(j, "refused", f->refused);
	jout_u64(j, "dropped", f->dropped);
	jout_u64(j, "waiting", f->waiting);
	jout_u64(j, "waiting_bytes", f->waiting_bytes);
	jout_end_object(j);
}

static void say_forwarded(struct out *o, const struct forwarded *f)
{
	if (f == NULL)
		return;
	out_printf(o, "--forward: %llu profiles = %llu acknowledged + %llu refused + %llu dropped",
		   (unsigned long long)(f->profiles + f->spooled),
		   (unsigned long long)f->acknowledged, (unsigned long long)f->refused,
		   (unsigned long long)f->dropped);
	out_printf(o, " + %llu waiting\n", (unsigned long long)f->waiting);
}

static void json_keep(struct jout *j, const struct store_counts *c)
{
	if (c == NULL) {
		jout_null(j, "keep");
		return;
	}
	jout_flat_object(j, "keep");
	jout_u64(j, "intervals", c->intervals);
	jout_u64(j, "written", c->written);
	jout_u64(j, "dropped", c->dropped);
	jout_u64(j, "waiting", c->waiting);
	jout_end_object(j);
}

static void say_keep(struct out *o, const struct store_counts *c)
{
	if (c == NULL || c->written == c->intervals)
		return;
	out_printf(o, "--keep: %llu intervals = %llu written + %llu dropped + %llu not written\n",
		   (unsigned long long)c->intervals, (unsigned long long)c->written,
		   (unsigned long long)c->dropped, (unsigned long long)c->waiting);
}

void report_end(struct reporter *r, const struct reported_end *e,
		const struct source_status *source, size_t n)
{
	if (r->json) {
		struct jout j = begin_line(r->out, "end", e->time, r->sequence);

		jout_u64(&j, "intervals", e->intervals);
		jout_u64(&j, "alarms", e->alarms);
		jout_u64(&j, "new_load", e->new_load);
		json_reach_of_all(&j, e->judge);
		json_sources(&j, source, n);
		json_keep(&j, e->keep);
		json_forwarded(&j, e->forwarded);
		finish_line(&j);
	} else {
		out_printf(r->out, "%llu interval%s, %llu alarm%s",
			   (unsigned long long)e->intervals, e->intervals == 1 ? "" : "s",
			   (unsigned long long)e->alarms, e->alarms == 1 ? "" : "s");
		say_new_load(r->out, e->new_load);
		out_char(r->out, '\n');
		for (size_t i = 0; i < n; i++)
			say_ledger(r->out, &source[i]);
		say_keep(r->out, e->keep);
		say_forwarded(r->out, e->forwarded);
	}
	flush_line(r);
}
