/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/command.h"
#include "compare/load.h"

static enum exit_status run_peaks(struct context *cx, const struct settings *s)
{
	struct loaded l;

	if (!load_run(&l, s->request.operand, 1, &s->request, cx->diag))
		return EXIT_ERROR;
	report_peaks(cx->out, &cx->style, &l.run);
	loaded_release(&l);
	return EXIT_OK;
}

const struct command command_peaks = {
	.id = COMMAND_peaks,
	.name = "peaks",
	.operands = "RUN",
	.summary = "Show the peaks of each operation",
	.min_operands = 1,
	.max_operands = 1,
	.output_formats = OUTPUT_FORMATS_TABLE,
	.run = run_peaks,
};
