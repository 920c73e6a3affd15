/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/diag.h"
#include "base/outfile.h"
#include "cli/command.h"
#include "cli/handlers.h"
#include "compare/causes_found.h"
#include "compare/cautions.h"
#include "compare/compare.h"
#include "report/gate.h"

static enum exit_status status_of(const struct comparison *c, const struct settings *s)
{
	if (s->request.gate == GATE_OFF)
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

static enum exit_status report_to(struct outfile *file, struct context *cx,
				  const struct settings *s)
{
	struct style style = style_of(cx, s);
	struct causes_page *page = NULL;
	struct compared c;
	enum exit_status status;

	if (!compare_runs(&c, &s->request, &s->request.rules, cx->diag)) {
		outfile_discard(file);
		return EXIT_ERROR;
	}
	if (!s->request.ignore_annotations && !compare_annotations(&c, &s->request, cx->diag)) {
		compared_release(&c);
		outfile_discard(file);
		return EXIT_ERROR;
	}
	if (s->output_format != OUTPUT_FORMAT_TEXT)
		report_cautions(&c, cx->diag);
	if (s->output_format == OUTPUT_FORMAT_HTML)
		page = causes_page_new(&c.comparison, &s->request);
	report_rank(file->out, &style, &c.comparison);
	causes_page_free(page);
	handlers_report(s, &c.comparison, cx->diag);
	status = status_of(&c.comparison, s);
	compared_release(&c);
	return outfile_commit(file, cx->diag) ? status : EXIT_ERROR;
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
	.output_formats =
		OUTPUT_FORMATS_TABLE | 1U << OUTPUT_FORMAT_JUNIT | 1U << OUTPUT_FORMAT_HTML,
	.run = run_rank,
};
