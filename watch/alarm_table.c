/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "watch/alarm_table.h"

#include <math.h>
#include <time.h>

#include "base/escape.h"
#include "base/out.h"
#include "report/table.h"

/* --- words ------------------------------------------------------------------------------------ */

/* "2026-11-22 18:00:10  " */
void alarm_say_time(struct out *o, double time)
{
	time_t seconds = (time_t)floor(time);
	char text[32];
	struct tm tm;

	(void)gmtime_r(&seconds, &tm);
	(void)strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &tm);
	out_printf(o, "%s  ", text);
}

void alarm_say_operation(struct out *o, const struct watch_event *e)
{
	if (e->common) {
		out_text(o, "all operations");
		return;
	}
	if (e->layer.n > 0) {
		escape_terminal(o, e->layer);
		out_text(o, ": ");
	}
	escape_terminal(o, e->name);
}

/* "latency 2.1x higher", "calls 12 % lower". */
void alarm_say_effect(struct out *o, const struct watch_event *e)
{
	static const char *const what[] = { "latency", "odds of a slow call", "calls" };
	double factor = exp2(e->effect);
	const char *way = factor > 1 ? "higher" : "lower";

	out_printf(o, "%s ", what[e->feature]);
	if (factor >= 2 || factor <= 0.5)
		out_printf(o, "%.3gx %s", factor > 1 ? factor : 1 / factor, way);
	else
		out_printf(o, "%.3g %% %s", 100 * fabs(factor - 1), way);
}

/* --- the table -------------------------------------------------------------------------------- */

static const struct style markdown_style = { .output_format = OUTPUT_FORMAT_MARKDOWN,
					     .unicode = true };

static const struct column alarm_columns[] = {
	{ "time", "time (UTC)", ALIGN_LEFT },	      { "alarm", "alarm", ALIGN_LEFT },
	{ "operation", "operation", ALIGN_LEFT },     { "change", "change", ALIGN_LEFT },
	{ "explanation", "explanation", ALIGN_LEFT },
};

/* Begins a row: when, and of which alarm; `how` follows its number. */
static struct table *begin_row(struct reporter *r, const struct watch_event *e, double time,
			       const char *how)
{
	if (r->table == NULL)
		r->table = table_begin(alarm_columns, COUNT_OF(alarm_columns), &markdown_style,
				       r->out);
	alarm_say_time(table_open(r->table), time);
	table_close(r->table, TONE_PLAIN);
	out_printf(table_open(r->table), e->what == WATCH_POSSIBLE ? "possible" : "%llu%s",
		   (unsigned long long)e->id, how);
	table_close(r->table, TONE_PLAIN);
	if (e->common)
		table_text(r->table, "all operations", TONE_PLAIN);
	else if (e->layer.n > 0)
		table_name_of(r->table, e->layer, e->name);
	else
		table_name(r->table, e->name);
	return r->table;
}

void alarm_table_add(struct reporter *r, const struct reported_alarm *a)
{
	struct table *t = begin_row(r, a->event, a->time, "");
	struct out *change = table_open(t);

	alarm_say_effect(change, a->event);
	out_printf(change, " for %.0f s", a->time - a->since);
	table_close(t, TONE_PLAIN);
	table_name(t, a->sentence);
}

void alarm_table_resolve(struct reporter *r, const struct watch_event *e, double time)
{
	struct table *t = begin_row(r, e, time, " ends");

	table_text(t, e->what == WATCH_BACK ? "as before" : "the new level is the reference",
		   TONE_PLAIN);
	table_empty(t);
}

void reporter_release(struct reporter *r)
{
	if (r->table != NULL)
		table_end(r->table);
	r->table = NULL;
}
