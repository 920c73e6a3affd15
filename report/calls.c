/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/calls.h"

#include <math.h>

#include "base/escape.h"
#include "base/out.h"
#include "report/calls_parts.h"
#include "report/parts.h"

const char *const calls_sections[] = { "summary", "blocking", "sites", "trends",
				       "times",	  "overlap",  NULL };

/* --- words --------------------------------------------------------------------------------- */

static void say_name(struct out *o, const struct style *s, struct str name)
{
	if (name.n == 0)
		out_text(o, "(no name)");
	else
		(s->output_format == OUTPUT_FORMAT_MARKDOWN ? escape_markdown
							    : escape_terminal)(o, name);
}

static void say_number(struct out *o, size_t n, const char *what)
{
	quantity_count(o, (double)n);
	out_printf(o, " %s%s", what, n == 1 ? "" : "s");
}

static bool has_section(const struct calls_report *r, enum calls_section section)
{
	return (r->sections & 1U << section) != 0;
}

static void write_heading(struct out *o, const struct style *s, const struct calls_report *r,
			  enum calls_section section, const char *words)
{
	bool first = (r->sections & ((1U << section) - 1)) == 0;

	out_text(o, first ? "" : "\n");
	out_text(o, s->output_format == OUTPUT_FORMAT_MARKDOWN ? "### " : "");
	tone_begin(o, s, TONE_STRONG);
	out_text(o, words);
	tone_end(o, s, TONE_STRONG);
	out_text(o, s->output_format == OUTPUT_FORMAT_MARKDOWN ? "\n\n" : "\n");
}

/* Heads a section that is printed once for each side. */
static void side_heading(struct out *o, const struct style *s, const struct calls_report *r,
			 const struct calls_run *run)
{
	if (r->after == NULL || is_csv(s))
		return;
	out_text(o, run == r->before ? "Before, " : "\nAfter, ");
	say_name(o, s, str_from(run->path));
	say_more_paths(o, run->n_more);
	out_printf(o, ":\n%s", s->output_format == OUTPUT_FORMAT_MARKDOWN ? "\n" : "");
}

/* --- summary -------------------------------------------------------------------------------- */

static void say_time(struct out *o, const struct calls_summary *s)
{
	quantity_latency(o, s->latency, ns);
	out_text(o, " in calls: ");
	quantity_latency(o, s->cpu, ns);
	out_text(o, " of processor time, ");
	quantity_latency(o, s->blocked, ns);
	out_text(o, " blocked (");
	say_number(o, s->n_blocked, "call");
	out_text(o, "); ");
	say_number(o, s->n_preempted, "call");
	out_text(o, " preempted; ");
	quantity_count(o, s->minor_faults);
	out_text(o, " minor and ");
	quantity_count(o, s->major_faults);
	out_text(o, " major page faults\n");
}

static void write_summary(struct out *o, const struct style *s, const struct calls_report *r,
			  const struct calls_run *run)
{
	const struct calls_summary *sum = &run->side.summary;
	const struct calls *c = run->side.calls;

	if (r->after == NULL) {
		say_name(o, s, str_from(run->path));
		say_more_paths(o, run->n_more);
		out_text(o, ": ");
	}
	if (c->n_runs > 1)
		out_printf(o, "%zu runs, ", c->n_runs);
	say_number(o, c->n, "call");
	if (c->n_runs == 1) {
		out_text(o, " in ");
		quantity_latency(o, sum->duration, ns);
	}
	out_text(o, "; ");
	say_number(o, sum->n_operations, "operation");
	out_text(o, ", ");
	say_number(o, sum->n_sites, "call site");
	out_text(o, ", ");
	quantity_count(o, (double)c->n_processes);
	out_text(o, c->n_processes == 1 ? " process, " : " processes, ");
	say_number(o, c->n_threads, "thread");
	out_char(o, '\n');
	if (c->command.n > 0) {
		out_text(o, "command: ");
		say_name(o, s, c->command);
		out_char(o, '\n');
	}
	say_time(o, sum);
	if (c->lost > 0) {
		say_number(o, c->lost, "call");
		out_printf(o, " more %s not kept: what follows is of the last ones\n",
			   c->lost == 1 ? "was" : "were");
	}
}

/* --- trends in words ---------------------------------------------------------------------- */

static void say_trend(struct out *o, const struct style *s, const struct calls *c,
		      const struct trend *t)
{
	out_text(o, s->output_format == OUTPUT_FORMAT_MARKDOWN ? "- " : "");
	tone_begin(o, s, TONE_STRONG);
	say_name(o, s, c->operations.v[t->operation]);
	tone_end(o, s, TONE_STRONG);
	if (!t->all_sites) {
		out_text(o, " from ");
		say_name(o, s, t->site != 0 ? c->sites.v[t->site] : STR("(unknown)"));
	}
	out_text(o, ": from ");
	quantity_latency(o, t->first, ns);
	out_text(o, " to ");
	quantity_latency(o, t->last, ns);
	out_text(o, " over ");
	say_number(o, t->n_looked_at, "call");
	if (t->n_processes > 1)
		out_printf(o, " of %zu processes", t->n_processes);
	out_text(o, ", ");
	quantity_latency(o, fabs(t->extra), ns);
	out_printf(o, " %s than without the trend\n", t->extra > 0 ? "more" : "less");
}

static void write_trends(struct out *o, const struct style *s, const struct calls_report *r,
			 const struct calls_run *run)
{
	size_t reported = 0;

	for (size_t i = 0; i < run->trends.n && reported < r->top; i++) {
		if (!run->trends.v[i].telling)
			continue;
		say_trend(o, s, run->side.calls, &run->trends.v[i]);
		reported++;
	}
	if (reported > 0)
		out_char(o, '\n');
	calls_trends_table(o, s, r, run);
}

/* --- times in words ---------------------------------------------------------------- */

static const double min_part = 0.001; /* smaller parts of a difference are not reported */

static void say_part(struct out *o, double part, double of, size_t n, const char *what)
{
	if (!(part >= min_part * of))
		return;
	out_text(o, ", ");
	quantity_percent(o, part / of);
	out_text(o, " of it in ");
	say_number(o, n, "call");
	out_printf(o, " that %s", what);
}

static void say_beyond(struct out *o, const struct style *s, const struct calls *c,
		       const struct call_times *t)
{
	if (t->n_blocked + t->n_preempted == 0 || !(t->beyond > 0))
		return;
	out_text(o, s->output_format == OUTPUT_FORMAT_MARKDOWN ? "- " : "");
	tone_begin(o, s, TONE_STRONG);
	say_name(o, s, c->operations.v[t->operation]);
	tone_end(o, s, TONE_STRONG);
	out_text(o, ": callers saw ");
	quantity_latency(o, t->beyond, ns);
	out_printf(o, " more than the %s took", t->n_kernel > 0 ? "kernel" : "processor");
	say_part(o, t->beyond_preempted, t->beyond, t->n_preempted,
		 t->n_preempted == 1 ? "was preempted" : "were preempted");
	say_part(o, t->beyond_blocked, t->beyond, t->n_blocked, "blocked");
	out_char(o, '\n');
}

static void write_times(struct out *o, const struct style *s, const struct calls_report *r,
			const struct calls_run *run)
{
	if (!run->times.has_kernel)
		out_printf(o,
			   "Times in the kernel were not recorded: calls that were preempted are "
			   "known by their\ninvoluntary switches.\n%s",
			   s->output_format == OUTPUT_FORMAT_MARKDOWN ? "\n" : "");
	calls_times_table(o, s, r, run);
	if (run->side.summary.n_blocked + run->side.summary.n_preempted > 0)
		out_char(o, '\n');
	for (size_t i = 0; i < run->times.n && i < r->top; i++)
		say_beyond(o, s, run->side.calls, &run->times.v[i]);
}

/* --- sections ---------------------------------------------------------------------- */

typedef void side_fn(struct out *o, const struct style *s, const struct calls_report *r,
		     const struct calls_run *run);

static void each_side(struct out *o, const struct style *s, const struct calls_report *r,
		      side_fn *say)
{
	side_heading(o, s, r, r->before);
	say(o, s, r, r->before);
	if (r->after != NULL) {
		side_heading(o, s, r, r->after);
		say(o, s, r, r->after);
	}
}

/* The section is left out when it is empty, unless it is the only one requested. */
static bool is_worth_a_section(const struct calls_report *r)
{
	return r->sections == 1U << CALLS_OVERLAP ||
	       (r->before->overlaps.n > 0 && r->before->overlaps.n_threads > 1) ||
	       (r->after != NULL && r->after->overlaps.n > 0 && r->after->overlaps.n_threads > 1);
}

static void calls_text(struct out *o, const struct style *s, const struct calls_report *r)
{
	bool pair = r->after != NULL;

	if (has_section(r, CALLS_SUMMARY))
		each_side(o, s, r, write_summary);
	if (!pair && r->before->side.calls->n == 0) {
		out_text(o, "No calls were recorded.\n");
		return;
	}
	if (has_section(r, CALLS_BLOCKING)) {
		write_heading(o, s, r, CALLS_BLOCKING, "What calls wait for");
		if (pair)
			calls_changes_table(o, s, r, &r->blocking, "resource", "for", "blocked");
		else
			calls_blocking_table(o, s, r);
	}
	if (has_section(r, CALLS_SITES)) {
		write_heading(o, s, r, CALLS_SITES, "Call sites");
		if (pair)
			calls_changes_table(o, s, r, &r->sites, "site", "from", "total");
		else
			calls_sites_table(o, s, r);
	}
	if (has_section(r, CALLS_TRENDS)) {
		write_heading(o, s, r, CALLS_TRENDS,
			      "Calls that get slower or faster as they go on");
		each_side(o, s, r, write_trends);
	}
	if (has_section(r, CALLS_TIMES)) {
		write_heading(o, s, r, CALLS_TIMES, "Time as callers see it");
		each_side(o, s, r, write_times);
	}
	if (has_section(r, CALLS_OVERLAP) && is_worth_a_section(r)) {
		write_heading(o, s, r, CALLS_OVERLAP,
			      "What other threads did while slow calls lasted");
		each_side(o, s, r, calls_overlap);
	}
}

static void calls_csv(struct out *o, const struct style *s, const struct calls_report *r)
{
	bool pair = r->after != NULL;

	if (has_section(r, CALLS_BLOCKING) && pair)
		calls_changes_table(o, s, r, &r->blocking, "resource", "", "");
	else if (has_section(r, CALLS_BLOCKING))
		calls_blocking_matrix(o, &r->before->side);
	else if (has_section(r, CALLS_SITES) && pair)
		calls_changes_table(o, s, r, &r->sites, "site", "", "");
	else if (has_section(r, CALLS_SITES))
		calls_sites_table(o, s, r);
	else if (has_section(r, CALLS_TRENDS))
		each_side(o, s, r, calls_trends_table);
	else if (has_section(r, CALLS_TIMES))
		each_side(o, s, r, calls_times_table);
	else if (has_section(r, CALLS_OVERLAP))
		each_side(o, s, r, calls_overlap);
	else
		each_side(o, s, r, calls_summary_table);
}

void report_calls(struct out *o, const struct style *s, const struct calls_report *r)
{
	if (s->output_format == OUTPUT_FORMAT_JSON)
		calls_json(o, r);
	else if (is_csv(s))
		calls_csv(o, s, r);
	else
		calls_text(o, s, r);
}
