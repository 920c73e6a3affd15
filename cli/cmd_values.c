/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/attr.h"
#include "compare/values_found.h"
#include "program/command.h"
#include "report/values.h"

static void report_found(struct context *cx, const struct settings *s, const struct values_found *v)
{
	struct values_report r = { .run = { .path = s->options.load.operand[0],
					    .profile = v->profile,
					    .totals = v->totals,
					    .n_runs = v->n_files },
				   .values = &v->values,
				   .rules = &v->rules,
				   .top = s->top,
				   .all = s->options.show.all };

	for (size_t k = 0; k < cx->n_outputs; k++)
		report_values(cx->output[k].out, &cx->output[k].style, &r);
}

static enum exit_status run_values(struct context *cx, const struct settings *s)
{
	struct values_found found;
	bool ok = values_found_load(&found, &s->options.load, s->options.compare.seed, cx->diag) &&
		  values_found_check(&found, s->options.load.operand[0], cx->diag) &&
		  values_found_find(&found, &s->options.load, cx->diag);

	if (ok)
		report_found(cx, s, &found);
	values_found_release(&found);
	return ok ? EXIT_OK : EXIT_ERROR;
}

const struct command command_values = {
	.id = COMMAND_values,
	.name = "values",
	.operands = "RUN",
	.summary = "Find the recorded variable that separates the peaks",
	.min_operands = 1,
	.max_operands = 1,
	.output_formats = OUTPUT_FORMATS_TABLE,
	.run = run_values,
};
