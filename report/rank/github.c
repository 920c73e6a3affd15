/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * osprof rank as commands of a GitHub workflow: an annotation for each operation that fails the
 * gate, for each warning, and for what else is reported.
 *
 * A line is `::error title=TITLE::MESSAGE`, in which the two have escapes of their own.
 */
#include "base/arena.h"
#include "base/escape.h"
#include "base/out.h"
#include "report/parts.h"
#include "report/rank/gate.h"
#include "report/rank/rank_output.h"
#include "report/report.h"

enum level { LEVEL_ERROR, LEVEL_WARNING, LEVEL_NOTICE, N_LEVELS };

/* GitHub shows so many annotations of each level of a step, and drops the others. */
enum { MAX_ANNOTATIONS = 10 };

/* What is written, and how many annotations of each level there are so far. */
struct annotator {
	struct out *out;
	size_t n[N_LEVELS];
};

static const struct style text_style = { .output_format = OUTPUT_FORMAT_TEXT };

static void write_annotation(struct annotator *a, enum level level, struct str title,
			     struct str message)
{
	static const char *const names[] = { "error", "warning", "notice" };

	if (a->n[level]++ >= MAX_ANNOTATIONS)
		return;
	out_printf(a->out, "::%s title=", names[level]);
	escape_workflow_title(a->out, title);
	out_text(a->out, "::");
	escape_workflow_message(a->out, message);
	out_char(a->out, '\n');
}

/* "Gate FAILED. SLOWER: 2 of 6 operations regressed: lseek, read." */
static void annotate_whole(struct annotator *a, const struct comparison *c)
{
	struct out *o = out_to_memory();
	bool failed = gate_result(comparison_gate(c), false) == GATE_FAILED;

	rank_headline(o, &text_style, c);
	out_text(o, ".\nGate: ");
	gate_outcome(o, &text_style, c);
	out_text(o, ".\n");
	rank_run_lines(o, c);
	gate_not_judged(o, &text_style, c);
	write_annotation(
		a, failed ? LEVEL_ERROR : LEVEL_NOTICE, STR("osprof: latency"),
		(struct str){ out_memory(o).p, out_memory(o).n - 1 }); /* the last newline */
	out_free(o);
}

static void annotate_caution(struct annotator *a, const struct caution *caution)
{
	struct out *o = out_to_memory();

	out_printf(o, "osprof: %s", diag_text(caution->code));
	write_annotation(a, LEVEL_WARNING, out_memory(o), caution->detail);
	out_free(o);
}

static void annotate_operation(struct annotator *a, const struct comparison *c,
			       const struct ranked *r)
{
	bool failed = gate_ruling(comparison_gate(c), r).failed;
	struct arena *texts;
	struct out *o;

	if (!failed && !r->reported)
		return;
	texts = arena_new();
	o = out_to_memory();
	say_operation(o, &text_style, ranked_operation(r));
	out_printf(o, ": %s", verdict_name(r->verdict));
	write_annotation(a, failed ? LEVEL_ERROR : LEVEL_NOTICE, out_memory(o),
			 gate_story(texts, c, r));
	out_free(o);
	arena_free(texts);
}

void rank_github(struct out *o, const struct comparison *c)
{
	struct annotator a = { .out = o };

	annotate_whole(&a, c);
	for (size_t i = 0; i < c->n_cautions; i++)
		annotate_caution(&a, &c->caution[i]);
	for (size_t i = 0; i < c->ranking->n; i++)
		annotate_operation(&a, c, &c->ranking->v[i]);
}
