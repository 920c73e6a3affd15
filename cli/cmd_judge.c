/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compare/judged_labels.h"
#include "program/command.h"
#include "report/accuracy.h"

static enum exit_status run_judge(struct context *cx, const struct settings *s)
{
	struct judged_labels j;

	if (!judged_labels_measure(&j, &s->options.load, &s->options.compare, cx->diag))
		return EXIT_ERROR;
	report_accuracy(cx->out, &cx->style, &j.report, s->options.show.all);
	judged_labels_release(&j);
	return EXIT_OK;
}

const struct command command_judge = {
	.id = COMMAND_judge,
	.name = "judge",
	.operands = "LABELS.csv",
	.summary = "Measure how well each method finds what is known to differ",
	.min_operands = 1,
	.max_operands = 1,
	.output_formats = OUTPUT_FORMATS_TABLE,
	.run = run_judge,
};
