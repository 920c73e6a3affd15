/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "analyze/rank/peaks_runs.h"
#include "compare/compare.h"
#include "program/command.h"
#include "report/peaks_compared.h"

static enum exit_status peaks_of_run(struct context *cx, const struct settings *s)
{
	struct loaded l;

	if (!load_run(&l, s->options.load.operand, 1, &s->options.load, cx->diag))
		return EXIT_ERROR;
	for (size_t k = 0; k < cx->n_outputs; k++)
		report_peaks(cx->output[k].out, &cx->output[k].style, &l.run);
	loaded_release(&l);
	return EXIT_OK;
}

static enum exit_status peaks_of_sides(struct context *cx, const struct settings *s)
{
	struct compare_options how = s->options.compare;
	struct runs_side before, after;
	struct peaks_over_runs peaks;
	struct compared c;

	how.rules.threshold = HUGE_VAL; /* selects nothing: only the change decides the order */
	if (!compare_runs(&c, &s->options.load, &how, cx->diag))
		return EXIT_ERROR;
	before = loaded_runs(&c.before);
	after = loaded_runs(&c.after);
	peaks = peaks_compare(c.arena, &c.ranking, &before, &after);
	for (size_t k = 0; k < cx->n_outputs; k++)
		report_peaks_compared(cx->output[k].out, &cx->output[k].style, &c.comparison,
				      &peaks);
	compared_release(&c);
	return EXIT_OK;
}

static enum exit_status run_peaks(struct context *cx, const struct settings *s)
{
	return s->options.load.n_operands == 1 ? peaks_of_run(cx, s) : peaks_of_sides(cx, s);
}

const struct command command_peaks = {
	.id = COMMAND_peaks,
	.name = "peaks",
	.operands = "RUN | BEFORE AFTER",
	.summary = "Show the peaks of each operation",
	.min_operands = 1,
	.max_operands = 2,
	.sides = true,
	.output_formats = OUTPUT_FORMATS_TABLE,
	.run = run_peaks,
};
