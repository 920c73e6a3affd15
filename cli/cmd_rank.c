/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/out.h"
#include "base/outfile.h"
#include "cli/command.h"
#include "cli/handlers.h"
#include "compare/causes_found.h"
#include "compare/cautions.h"
#include "compare/compare.h"
#include "report/gate.h"

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

/* Writes colours to a file only with --color=always. */
static struct style style_of(const struct context *cx, const struct settings *s)
{
	struct style style = cx->style;

	style.color = style.color && (s->output == NULL || s->color == COLOR_ALWAYS);
	return style;
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

static enum exit_status report_to(struct outfile *file, struct context *cx,
				  const struct settings *s)
{
	struct style style = style_of(cx, s);
	struct causes_page *page = NULL;
	struct compared c;
	enum exit_status status;
	bool ok = true;

	if (!compare_runs(&c, &s->options.load, &s->options.compare, cx->diag)) {
		outfile_discard(file);
		return EXIT_ERROR;
	}
	if (!s->options.compare.ignore_annotations &&
	    !compare_annotations(&c, &s->options.load, cx->diag)) {
		compared_release(&c);
		outfile_discard(file);
		return EXIT_ERROR;
	}
	if (s->output_format != OUTPUT_FORMAT_TEXT)
		report_cautions(&c, cx->diag);
	c.comparison.show = s->options.show;
	if (s->output_format == OUTPUT_FORMAT_HTML)
		page = causes_page_new(&c.comparison, &s->options.load, &s->options.causes);
	report_rank(file->out, &style, &c.comparison);
	if (style.output_format == OUTPUT_FORMAT_GITHUB)
		ok = append_summary(&c.comparison, cx->diag);
	causes_page_free(page);
	handlers_report(s, &c.comparison, cx->diag);
	status = status_of(&c.comparison, s);
	compared_release(&c);
	return outfile_commit(file, cx->diag) && ok ? status : EXIT_ERROR;
}

static enum exit_status run_rank(struct context *cx, const struct settings *s)
{
	struct outfile file;

	if (!handlers_check(s, cx->diag))
		return EXIT_ERROR;
	if (!outfile_open(&file, s->output, s->force, cx->out, cx->diag))
		return EXIT_ERROR;
	return report_to(&file, cx, s);
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
