/* SPDX-License-Identifier: GPL-3.0-or-later */
/* osprof rank as JUnit: one test case for each operation, failed if the gate fails it. */
#include "base/arena.h"
#include "base/escape.h"
#include "base/out.h"
#include "report/rank/gate.h"
#include "report/rank/rank_output.h"
#include "report/report.h"

/* Cuts the next sentence, without the period that other sentences follow. */
static struct str next_sentence(struct str *story)
{
	struct str sentence = *story;

	for (size_t i = 0; i + 1 < story->n; i++) {
		if (story->p[i] == '.' && story->p[i + 1] == ' ') {
			sentence.n = i;
			*story = str_skip(*story, i + 2);
			return sentence;
		}
	}
	story->n = 0;
	return sentence;
}

/* Viewers show the message in a line: the verdict and the first sentence.  The text has a line for
 * each sentence. */
static void write_failure(struct out *o, const struct ranked *r, struct str story)
{
	struct str rest = story;

	out_printf(o, "\n      <failure type=\"%s\" message=\"", verdict_name(r->verdict));
	escape_xml(o, next_sentence(&rest));
	if (rest.n > 0) {
		out_text(o, ". ");
		escape_xml(o, next_sentence(&rest));
	}
	out_text(o, "\">");
	for (rest = story; rest.n > 0;) {
		escape_xml(o, next_sentence(&rest));
		out_text(o, rest.n > 0 ? "\n" : "");
	}
	out_text(o, "</failure>\n    ");
}

static void test_case(struct out *o, const struct comparison *c, const struct ranked *r)
{
	const struct operation *op = ranked_operation(r);
	struct ruling ruling = gate_ruling(comparison_gate(c), r);
	struct arena *a = arena_new();
	struct str story = gate_story(a, c, r);

	out_text(o, "    <testcase classname=\"");
	escape_xml(o, op->layer.n > 0 ? op->layer : STR("osprof"));
	out_text(o, "\" name=\"");
	escape_xml(o, op->name.n > 0 ? op->name : STR("(no name)"));
	out_text(o, "\">");
	if (ruling.ignored)
		out_printf(o, "\n      <skipped message=\"ignored by policy line %zu\"/>",
			   ruling.line);
	if (ruling.expected)
		out_text(o, "\n      <skipped message=\"expected, annotated\"/>");
	if (ruling.failed) {
		write_failure(o, r, story);
	} else {
		out_text(o, "\n      <system-out>");
		escape_xml(o, story);
		out_text(o, "</system-out>\n    ");
	}
	out_text(o, "</testcase>\n");
	arena_free(a);
}

static void write_counts(struct out *o, const struct comparison *c)
{
	size_t skipped = 0;

	for (size_t i = 0; i < c->ranking->n; i++) {
		struct ruling ruling = gate_ruling(comparison_gate(c), &c->ranking->v[i]);

		skipped += ruling.ignored || ruling.expected;
	}
	out_printf(o, " tests=\"%zu\" failures=\"%zu\"", c->ranking->n,
		   gate_failures(comparison_gate(c)));
	if (skipped > 0)
		out_printf(o, " skipped=\"%zu\"", skipped);
	out_text(o, ">\n");
}

void rank_junit(struct out *o, const struct comparison *c)
{
	out_text(o, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites");
	write_counts(o, c);
	out_text(o, "  <testsuite name=\"osprof rank ");
	escape_xml(o, str_from(c->before.path));
	out_char(o, ' ');
	escape_xml(o, str_from(c->after.path));
	out_char(o, '"');
	write_counts(o, c);
	for (size_t i = 0; i < c->ranking->n; i++)
		test_case(o, c, &c->ranking->v[i]);
	for (size_t i = 0; i < c->n_cautions; i++) {
		out_text(o, i == 0 ? "    <system-err>" : "\n");
		out_printf(o, "%s: ", diag_text(c->caution[i].code));
		escape_xml(o, c->caution[i].detail);
	}
	if (c->n_cautions > 0)
		out_text(o, "</system-err>\n");
	out_text(o, "  </testsuite>\n</testsuites>\n");
}
