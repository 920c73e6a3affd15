/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/arena.h"
#include "base/diag.h"
#include "load/calls_load.h"
#include "program/command.h"
#include "report/calls.h"

enum { ALL_SECTIONS = (1 << N_CALLS_SECTIONS) - 1 };

static void analyze_run(struct calls_run *run, struct arena *a, unsigned sections)
{
	const struct calls *c = run->side.calls;

	run->side.summary = calls_summary(c);
	if (sections & 1U << CALLS_BLOCKING)
		run->side.blocking = blocking_of(a, c);
	if (sections & 1U << CALLS_SITES)
		run->side.sites = site_costs_of(a, c);
	if (sections & 1U << CALLS_TRENDS)
		run->trends = trends_of(a, c, &trend_rules_default);
	if (sections & 1U << CALLS_TIMES)
		run->times = all_times_of(a, c);
	if (sections & 1U << CALLS_OVERLAP)
		run->overlaps = overlaps_of(a, c);
}

static void report_runs(struct context *cx, const struct settings *s, struct calls_run *before,
			struct calls_run *after)
{
	struct arena *a = arena_new();
	struct calls_report r = { .before = before,
				  .after = after,
				  .sections = s->sections != 0 ? s->sections : ALL_SECTIONS,
				  .top = s->options.show.all ? SIZE_MAX : s->top };

	analyze_run(before, a, r.sections);
	if (after != NULL) {
		analyze_run(after, a, r.sections);
		r.sites = site_changes_of(a, &before->side, &after->side);
		r.blocking = blocking_changes_of(a, &before->side, &after->side);
	}
	for (size_t k = 0; k < cx->n_outputs; k++)
		report_calls(cx->output[k].out, &cx->output[k].style, &r);
	arena_free(a);
}

/* CSV can hold only one table. */
static bool check_sections(const struct settings *s, struct diag *diag)
{
	if (!settings_print(s, OUTPUT_FORMAT_CSV) ||
	    (s->sections != 0 && (s->sections & (s->sections - 1)) == 0))
		return true;
	diag_plain(
		diag, DIAG_USAGE,
		"CSV is one table: use --section to choose it (summary, blocking, sites, trends, "
		"times or overlap)");
	return false;
}

static enum exit_status run_calls(struct context *cx, const struct settings *s)
{
	size_t n_before = s->options.load.separated ? s->options.load.n_before : 1;
	bool pair = s->options.load.n_operands > n_before;
	struct calls_run before = { .path = s->options.load.operand[0], .n_more = n_before - 1 };
	struct calls_run after = { 0 };
	struct calls *first = NULL, *second = NULL;
	bool ok = check_sections(s, cx->diag);

	if (pair)
		after = (struct calls_run){ .path = s->options.load.operand[n_before],
					    .n_more = s->options.load.n_operands - n_before - 1 };
	if (ok)
		first = calls_load(s->options.load.operand, n_before, &s->options.load, cx->diag);
	if (first != NULL && pair)
		second = calls_load(s->options.load.operand + n_before,
				    s->options.load.n_operands - n_before, &s->options.load,
				    cx->diag);
	ok = first != NULL && (!pair || second != NULL);
	if (ok) {
		before.side.calls = first;
		after.side.calls = second;
		report_runs(cx, s, &before, pair ? &after : NULL);
	}
	calls_free(first);
	calls_free(second);
	return ok ? EXIT_OK : EXIT_ERROR;
}

const struct command command_calls = {
	.id = COMMAND_calls,
	.name = "calls",
	.operands = "RUN | BEFORE AFTER",
	.summary = "Analyse per-call records: waits, call sites, trends, kernel time",
	.min_operands = 1,
	.max_operands = 2,
	.sides = true,
	.output_formats = OUTPUT_FORMATS_TABLE,
	.run = run_calls,
};
