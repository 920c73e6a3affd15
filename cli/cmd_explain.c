/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "analyze/totals.h"
#include "base/arena.h"
#include "base/diag.h"
#include "base/out.h"
#include "compare/cautions.h"
#include "compare/compare.h"
#include "load/calls_load.h"
#include "load/causes_load.h"
#include "load/known_times.h"
#include "program/command.h"
#include "report/calls.h"

/* At most so many are explained: nobody reads more, and each is compared with all others. */
enum { MAX_REPORTED = 200 };

/* For a single run, operations with at least this share of the latency are reported. */
static const double large = 0.01;

static bool is_large(const struct comparison *c, const struct operation *op)
{
	return share_of_latency(&c->after.totals, c->after.profile, op) >= large;
}

static int by_latency(const void *pa, const void *pb)
{
	const struct ranked *const *a = pa, *const *b = pb;
	const struct operation *of_a = (*a)->after, *of_b = (*b)->after;
	double own_a = operation_own(of_a), own_b = operation_own(of_b);

	if (of_a->idle != of_b->idle)
		return of_a->idle ? 1 : -1;
	return (own_a < own_b) - (own_a > own_b);
}

/* Chooses the reported operations, or those that the user named; of a single run, by
 * latency, those that wait by design last. */
static void choose_stories(struct story *story, struct arena *a, const struct ranking *all,
			   const struct settings *s, struct diag *diag)
{
	size_t n = 0;

	story->named = s->options.load.op != NULL || s->options.load.layer != NULL;
	story->chosen = arena_make(a, const struct ranked *, MAX_REPORTED);
	for (size_t i = 0; i < all->n; i++) {
		const struct ranked *r = &all->v[i];

		if (!(story->named    ? is_wanted(ranked_operation(r), &s->options.load)
		      : story->single ? is_large(story->comparison, r->after)
				      : r->reported))
			continue;
		if (n++ < MAX_REPORTED)
			story->chosen[story->n++] = r;
	}
	if (story->single)
		qsort(story->chosen, story->n, sizeof(*story->chosen), by_latency);
	if (n > story->n)
		diag_plain(diag, DIAG_EXPLAIN_PART,
			   "%zu of %zu operations, those with the largest changes; use --op and "
			   "--layer to choose",
			   story->n, n);
}

static bool is_of_spans(const struct run *run)
{
	const struct format *f = format_by_name(str_from(run->profile->format));

	return f != NULL && f->calls == CALLS_SPANS;
}

/* Suggests osprof causes: a histogram shows what changed, only a trace shows why. */
static void point_to_causes(const struct story *story, struct diag *diag)
{
	const struct comparison *c = story->comparison;
	const struct ranked *first = story->n > 0 ? story->chosen[0] : NULL;
	struct str layer = STR(""); /* for spans, it is a part of the name */

	if (first != NULL && first->after != NULL && is_of_spans(&c->after))
		layer = first->after->layer;
	if (first != NULL && first->after != NULL && causes_are_reported(&c->before) &&
	    causes_are_reported(&c->after))
		diag_plain(diag, DIAG_CAUSES_KNOWN,
			   "run `osprof causes %s %s --function '%.*s%s%.*s'` to see which paths",
			   c->before.path, c->after.path, STR_ARG(layer), layer.n > 0 ? "/" : "",
			   STR_ARG(first->after->name));
}

/* Reports, from per-call records, which operation waits for which. */
static void report_waits(struct context *cx, const struct settings *s, const struct run *run)
{
	struct calls_run calls = { .path = run->path };
	struct calls_report r = { .before = &calls,
				  .sections = 1U << CALLS_OVERLAP,
				  .top = s->top };
	struct calls *c;
	struct arena *a;

	if (!settings_print(s, OUTPUT_FORMAT_TEXT) || strcmp(run->profile->format, "calls") != 0 ||
	    strcmp(run->path, "-") == 0)
		return;
	c = calls_load(s->options.load.operand, s->options.load.n_operands, &s->options.load,
		       cx->diag);
	if (c == NULL)
		return;
	a = arena_new();
	calls.side.calls = c;
	calls.overlaps = overlaps_of(a, c);
	for (size_t k = 0; k < cx->n_outputs; k++) {
		const struct output *to = &cx->output[k];

		if (to->style.output_format != OUTPUT_FORMAT_TEXT)
			continue;
		out_char(to->out, '\n');
		report_calls(to->out, &to->style, &r);
	}
	arena_free(a);
	calls_free(c);
}

/* Explains a single run: compared with itself nothing has changed, and all of it is reported. */
static bool explain_run(struct context *cx, const struct settings *s,
			const struct settings *unfiltered, const struct story *common)
{
	struct story story = *common;
	struct rank_rules rules = s->options.compare.rules;
	struct comparison c = { .metric = rules.metric, .rules = &rules };
	struct arena *a;
	struct ranking ranking;
	struct loaded l;
	struct rank_side side;
	bool ok;

	if (!load_run(&l, s->options.load.operand, s->options.load.n_operands,
		      &unfiltered->options.load, cx->diag))
		return false;
	a = arena_new();
	side = (struct rank_side){ l.run.profile, l.run.totals, l.run.n_runs };
	ok = rank(a, &side, &side, &rules, &ranking, cx->diag);
	if (ok) {
		c.before = c.after = l.run;
		c.ranking = &ranking;
		story.comparison = &c;
		story.elapsed_after = s->options.load.elapsed_before;
		choose_stories(&story, a, &ranking, s, cx->diag);
		if (story.named && story.n == 0)
			diag_plain(cx->diag, DIAG_NOTHING_CHOSEN, "--op and --layer leave none");
		for (size_t k = 0; k < cx->n_outputs; k++)
			report_story(cx->output[k].out, &cx->output[k].style, &story);
		report_waits(cx, s, &l.run);
	}
	loaded_release(&l);
	arena_free(a);
	return ok;
}

static enum exit_status run_explain(struct context *cx, const struct settings *s)
{
	struct settings unfiltered = *s;
	struct story story = { .elapsed_before = s->options.load.elapsed_before,
			       .elapsed_after = s->options.load.elapsed_after,
			       .sources = s->sources };
	struct arena *a = arena_new();
	enum exit_status status = EXIT_ERROR;
	struct known_times times;
	struct compared c;

	/* Operations that are not reported are still evidence. */
	unfiltered.options.load.op = unfiltered.options.load.layer = NULL;
	story.single = s->options.load.n_operands == 1 ||
		       (s->options.load.separated &&
			s->options.load.n_before == s->options.load.n_operands);
	if (!load_known_times(a, &s->options.load, &times, cx->diag)) {
		arena_free(a);
		return EXIT_ERROR;
	}
	if (story.single) {
		story.times = &times;
		status = explain_run(cx, s, &unfiltered, &story) ? EXIT_OK : EXIT_ERROR;
	} else if (compare_runs(&c, &unfiltered.options.load, &s->options.compare, cx->diag)) {
		story.comparison = &c.comparison;
		story.times = &times;
		choose_stories(&story, a, &c.ranking, s, cx->diag);
		if (story.named && story.n == 0)
			diag_plain(cx->diag, DIAG_NOTHING_CHOSEN, "--op and --layer leave none");
		if (settings_print(s, OUTPUT_FORMAT_JSON))
			report_cautions(&c, cx->diag);
		for (size_t k = 0; k < cx->n_outputs; k++)
			report_story(cx->output[k].out, &cx->output[k].style, &story);
		point_to_causes(&story, cx->diag);
		compared_release(&c);
		status = EXIT_OK;
	}
	arena_free(a);
	return status;
}

const struct command command_explain = {
	.id = COMMAND_explain,
	.name = "explain",
	.operands = "RUN | BEFORE AFTER",
	.summary = "Report what became of each peak, and what may cause it",
	.min_operands = 1,
	.max_operands = 2,
	.sides = true,
	.output_formats = 1U << OUTPUT_FORMAT_JSON | 1U << OUTPUT_FORMAT_MARKDOWN,
	.run = run_explain,
};
