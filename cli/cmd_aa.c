/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compare/compare.h"
#include "compare/repeated.h"
#include "program/command.h"

static enum exit_status run_aa(struct context *cx, const struct settings *s)
{
	struct repeated r;

	if (!repeated_measure(&r, &s->options.load, &s->options.compare, cx->diag))
		return EXIT_ERROR;
	report_drift(r.loaded.run.path, &r.noise.drift, cx->diag);
	for (size_t k = 0; k < cx->n_outputs; k++)
		report_noise(cx->output[k].out, &cx->output[k].style, &r.loaded.run, &r.noise,
			     s->options.show.all);
	repeated_release(&r);
	return EXIT_OK;
}

const struct command command_aa = {
	.id = COMMAND_aa,
	.name = "aa",
	.operands = "RUN...",
	.summary = "Compare runs of one configuration with each other",
	.min_operands = 1,
	.max_operands = MANY_OPERANDS,
	.output_formats = OUTPUT_FORMATS_TABLE,
	.run = run_aa,
};
