/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/out.h"
#include "cli/handlers.h"
#include "compare/causes_found.h"
#include "compare/cautions.h"
#include "compare/compare.h"
#include "program/command.h"
#include "report/rank/gate.h"

static enum exit_status status_of(const struct comparison *c, const struct settings *s)
{
	if (s->options.compare.gate == GATE_OFF)
		return EXIT_OK;
	switch (gate_result(comparison_gate(c), s->strict)) {
	case GATE_PASSED:
		break;
	case GATE_FAILED:
		return EXIT_DIFFERS;
	case GATE_INCONCLUSIVE:
		return EXIT_INCONCLUSIVE;
	}
	return EXIT_OK;
}

/* Appends the report to the page of a job that GitHub shows, if there is one. */
static bool append_summary(const struct comparison *c, struct diag *diag)
{
	const struct style style = { .output_format = OUTPUT_FORMAT_MARKDOWN, .unicode = true };
	const char *path = getenv("GITHUB_STEP_SUMMARY");
	FILE *file;
	bool ok = false;

	if (path == NULL || *path == '\0')
		return true;
	file = fopen(path, "ae");
	if (file != NULL) {
		struct out *out = out_to_file(file);

		report_rank(out, &style, c);
		ok = out_close(out);
		ok = fclose(file) == 0 && ok;
	}
	if (!ok)
		diag_plain(diag, DIAG_OUTPUT_FAILED, "%s: %s", path, strerror(errno));
	return ok;
}

static bool load(struct compared *ret, struct context *cx, const struct settings *s)
{
	if (!compare_runs(ret, &s->options.load, &s->options.compare, cx->diag))
		return false;
	if (s->options.compare.ignore_annotations ||
	    compare_annotations(ret, &s->options.load, cx->diag))
		return true;
	compared_release(ret);
	return false;
}

static void report(struct context *cx, const struct settings *s, struct compared *c)
{
	struct causes_page *page = NULL;

	if (!settings_print(s, OUTPUT_FORMAT_TEXT))
		report_cautions(c, cx->diag);
	c->comparison.show = s->options.show;
	if (settings_print(s, OUTPUT_FORMAT_HTML))
		page = causes_page_new(&c->comparison, &s->options.load, &s->options.causes);
	for (size_t k = 0; k < cx->n_outputs; k++)
		report_rank(cx->output[k].out, &cx->output[k].style, &c->comparison);
	causes_page_free(page);
}

static enum exit_status run_rank(struct context *cx, const struct settings *s)
{
	struct compared c;
	enum exit_status status;
	bool ok = true;

	if (!handlers_check(s, cx->diag) || !load(&c, cx, s))
		return EXIT_ERROR;
	report(cx, s, &c);
	if (settings_print(s, OUTPUT_FORMAT_GITHUB))
		ok = append_summary(&c.comparison, cx->diag);
	handlers_report(s, &c.comparison, cx->diag);
	status = status_of(&c.comparison, s);
	compared_release(&c);
	return ok ? status : EXIT_ERROR;
}

const struct command command_rank = {
	.id = COMMAND_rank,
	.name = "rank",
	.operands = "BEFORE AFTER",
	.summary = "Report which operations differ between two runs",
	.min_operands = 2,
	.max_operands = 2,
	.sides = true,
	.output_formats = OUTPUT_FORMATS_TABLE | 1U << OUTPUT_FORMAT_JUNIT |
			  1U << OUTPUT_FORMAT_HTML | 1U << OUTPUT_FORMAT_GITHUB |
			  1U << OUTPUT_FORMAT_BMF | 1U << OUTPUT_FORMAT_BENCHMARK_ACTION,
	.run = run_rank,
};
