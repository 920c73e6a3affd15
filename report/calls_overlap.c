/* SPDX-License-Identifier: GPL-3.0-or-later */
/* osprof calls: what other threads did while slow calls lasted. */
#include <math.h>

#include "base/escape.h"
#include "base/out.h"
#include "report/calls_parts.h"
#include "report/table.h"

enum { MAX_SAID = 3 };

static const double worth_saying = 0.01; /* minimum share of the slow calls' time */

static void say_name(struct out *o, const struct style *s, const struct calls *c, uint32_t name)
{
	(s->output_format == OUTPUT_FORMAT_MARKDOWN ? escape_markdown
						    : escape_terminal)(o, c->operations.v[name]);
}

static void say_overlap(struct out *o, const struct style *s, const struct calls *c,
			const struct overlap *v)
{
	const struct overlap_with *w = &v->with[0];

	out_text(o, s->output_format == OUTPUT_FORMAT_MARKDOWN ? "- " : "");
	tone_begin(o, s, TONE_STRONG);
	say_name(o, s, c, v->operation);
	tone_end(o, s, TONE_STRONG);
	out_text(o, ": ");
	if (v->n == 0) {
		out_text(o, "no other thread was in a recorded call\n");
		return;
	}
	quantity_percent(o, w->slow_share);
	out_text(o, " of the time of its ");
	quantity_count(o, (double)v->n_slow);
	out_printf(o, " slow call%s lies within ", v->n_slow == 1 ? "" : "s");
	say_name(o, s, c, w->operation);
	out_text(o, " of other threads");
	if (!isnan(w->other_share)) {
		out_text(o, ", of that of its other calls ");
		quantity_percent(o, w->other_share);
	}
	if (w->waits) {
		out_text(o, "; ");
		quantity_percent(o, w->ended_with);
		out_text(o, " of them end as one does");
		if (!isnan(w->other_ended_with)) {
			out_text(o, ", of the others ");
			quantity_percent(o, w->other_ended_with);
		}
		out_text(o, ": it waits for ");
		say_name(o, s, c, w->operation);
	}
	out_char(o, '\n');
}

static const struct column columns[] = {
	{ "operation", "slow call", ALIGN_LEFT },
	{ "limit_ns", NULL, ALIGN_RIGHT },
	{ NULL, "from", ALIGN_RIGHT },
	{ "slow_calls", "calls", ALIGN_RIGHT },
	{ "slow_ns", NULL, ALIGN_RIGHT },
	{ NULL, "time", ALIGN_RIGHT },
	{ "with", "other threads in", ALIGN_LEFT },
	{ "share", "of the time", ALIGN_RIGHT },
	{ "share_of_others", "of other calls' time", ALIGN_RIGHT },
	{ "ended_with", "ended with one", ALIGN_RIGHT },
	{ "others_ended_with", "of others", ALIGN_RIGHT },
};

static void overlap_row(struct table *t, const struct calls *c, const struct overlap *v,
			const struct overlap_with *w)
{
	table_name(t, c->operations.v[v->operation]);
	table_number(t, v->limit);
	table_latency(t, v->limit, ns, false);
	table_count(t, v->n_slow);
	table_number(t, v->slow_time);
	table_latency(t, v->slow_time, ns, false);
	table_name(t, c->operations.v[w->operation]);
	table_share(t, w->slow_share);
	table_share(t, w->other_share);
	table_share(t, w->ended_with);
	table_share(t, w->other_ended_with);
}

void calls_overlap(struct out *o, const struct style *s, const struct calls_report *r,
		   const struct calls_run *run)
{
	const struct overlaps *all = &run->overlaps;
	size_t rows = rows_shown(s, r, all->n);
	struct table *t;

	if (!is_csv(s) && (all->n_threads < 2 || all->n == 0)) {
		out_text(o, all->n_threads < 2
				    ? "One thread made all calls: there is no other.\n"
				    : "No operation has calls in a peak that is slower than its "
				      "fastest.\n");
		return;
	}
	for (size_t i = 0; !is_csv(s) && i < rows; i++)
		say_overlap(o, s, run->side.calls, &all->v[i]);
	if (!is_csv(s))
		out_char(o, '\n');
	t = table_begin(columns, COUNT_OF(columns), s, o);
	for (size_t i = 0; i < rows; i++) {
		const struct overlap *v = &all->v[i];

		for (size_t k = 0; k < v->n; k++) {
			if (is_csv(s) || (k < MAX_SAID && v->with[k].slow_share >= worth_saying))
				overlap_row(t, run->side.calls, v, &v->with[k]);
		}
	}
	table_end(t);
	say_rest(o, s, all->n, rows);
}
