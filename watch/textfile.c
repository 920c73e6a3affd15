/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The text that Prometheus' node exporter reads with its textfile collector. */
#include <math.h>

#include "base/escape.h"
#include "base/out.h"
#include "watch/report.h"

static void write_metric(struct out *o, const char *name, const char *type, const char *help,
			 double v)
{
	out_printf(o, "# HELP osprof_watch_%s %s\n# TYPE osprof_watch_%s %s\nosprof_watch_%s ",
		   name, help, name, type, name);
	out_f64(o, v);
	out_char(o, '\n');
}

/* One counter of the ledger. */
struct counter {
	const char *name, *help;
	uint64_t (*of)(const struct source_status *s);
};

static uint64_t bytes_in(const struct source_status *s)
{
	return intake_ledger(s->intake)->in;
}

static uint64_t bytes_read(const struct source_status *s)
{
	return intake_ledger(s->intake)->read;
}

static uint64_t bytes_dropped(const struct source_status *s)
{
	return intake_ledger(s->intake)->dropped;
}

static uint64_t lines_refused(const struct source_status *s)
{
	return intake_ledger(s->intake)->refused;
}

static uint64_t events_lost(const struct source_status *s)
{
	return intake_ledger(s->intake)->lost;
}

static uint64_t restarts_of(const struct source_status *s)
{
	return s->restarts;
}

static const struct counter counters[] = {
	{ "source_bytes_total", "bytes that came", bytes_in },
	{ "source_read_bytes_total", "bytes that were read", bytes_read },
	{ "source_dropped_bytes_total", "bytes that were dropped", bytes_dropped },
	{ "source_refused_lines_total", "lines that could not be read", lines_refused },
	{ "source_lost_events_total", "events that the collector lost", events_lost },
	{ "source_restarts_total", "times that the source began again", restarts_of },
};

static void reach_of_operations(struct out *o, const struct watch *judge)
{
	static const char name[] = "osprof_watch_reach_ratio";

	out_printf(o,
		   "# HELP %s smallest lasting rise of latency that raises an alarm now\n"
		   "# TYPE %s gauge\n",
		   name, name);
	for (size_t i = 0; i < watch_operations(judge); i++) {
		struct watch_reach r = watch_reach_of(judge, i);

		if (isnan(r.latency))
			continue;
		out_printf(o, "%s{operation=", name);
		escape_label(o, r.name);
		out_text(o, ",layer=");
		escape_label(o, r.layer);
		out_text(o, "} ");
		out_f64(o, exp2(r.latency));
		out_char(o, '\n');
	}
}

void textfile_print(struct out *o, const struct textfile *t)
{
	write_metric(o, "intervals_total", "counter", "intervals that ended", (double)t->intervals);
	write_metric(o, "alarms_total", "counter", "alarms", (double)t->alarms);
	write_metric(o, "alarms_active", "gauge", "active alarms", (double)t->active);
	write_metric(o, "possible", "gauge",
		     "changes of which it is not known whether they are unusual",
		     (double)watch_possible(t->judge));
	write_metric(o, "operations", "gauge", "operations that are followed",
		     (double)t->operations);
	write_metric(o, "operations_judged", "gauge", "operations that have a reference",
		     (double)t->judged);
	write_metric(o, "late_profiles_total", "counter", "profiles of intervals that had ended",
		     (double)t->late);
	write_metric(o, "last_interval_end_seconds", "gauge", "when the last interval ended",
		     t->end);
	reach_of_operations(o, t->judge);
	for (size_t c = 0; c < COUNT_OF(counters); c++) {
		out_printf(o, "# HELP osprof_watch_%s %s\n# TYPE osprof_watch_%s counter\n",
			   counters[c].name, counters[c].help, counters[c].name);
		for (size_t i = 0; i < t->n_sources; i++) {
			out_printf(o, "osprof_watch_%s{source=", counters[c].name);
			escape_label(o, str_from(t->source[i].name));
			out_text(o, "} ");
			out_u64(o, counters[c].of(&t->source[i]));
			out_char(o, '\n');
		}
	}
}
