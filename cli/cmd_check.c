/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "base/arena.h"
#include "base/xalloc.h"
#include "load/load.h"
#include "program/command.h"

static enum exit_status run_check(struct context *cx, const struct settings *s)
{
	struct loaded *l = xcalloc(s->options.load.n_operands, sizeof(*l));
	struct run *run = xcalloc(s->options.load.n_operands, sizeof(*run));
	struct consistency *result = xcalloc(s->options.load.n_operands, sizeof(*result));
	struct arena *arena = arena_new();
	enum exit_status status = EXIT_OK;
	size_t n = 0;

	while (n < s->options.load.n_operands &&
	       load_run(&l[n], &s->options.load.operand[n], 1, &s->options.load, cx->diag)) {
		run[n] = l[n].run;
		result[n] = check(arena, l[n].profile);
		if (result[n].n > 0)
			status = EXIT_DIFFERS;
		n++;
	}
	if (n < s->options.load.n_operands)
		status = EXIT_ERROR;
	else
		for (size_t k = 0; k < cx->n_outputs; k++)
			report_check(cx->output[k].out, &cx->output[k].style, run, result, n);
	for (size_t i = 0; i < n; i++)
		loaded_release(&l[i]);
	arena_free(arena);
	free(result);
	free(run);
	free(l);
	return status;
}

const struct command command_check = {
	.id = COMMAND_check,
	.name = "check",
	.operands = "RUN...",
	.summary = "Compare stated totals and counts with the buckets",
	.min_operands = 1,
	.max_operands = MANY_OPERANDS,
	.output_formats = OUTPUT_FORMATS_TABLE,
	.run = run_check,
};
