/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "base/xalloc.h"
#include "load/load.h"
#include "program/command.h"

static enum exit_status run_show(struct context *cx, const struct settings *s)
{
	struct loaded *l = xcalloc(s->options.load.n_operands, sizeof(*l));
	struct run *run = xcalloc(s->options.load.n_operands, sizeof(*run));
	size_t n = 0;
	bool ok = true;

	while (n < s->options.load.n_operands && ok) {
		ok = load_run(&l[n], &s->options.load.operand[n], 1, &s->options.load, cx->diag);
		if (ok) {
			report_unlike_files(&l[n], &s->options.load, cx->diag);
			run[n] = l[n].run;
			n++;
		}
	}
	if (ok)
		for (size_t k = 0; k < cx->n_outputs; k++)
			report_show(cx->output[k].out, &cx->output[k].style, run, n,
				    s->options.show.quantiles_asked ? &s->options.show.quantiles
								    : NULL);
	for (size_t i = 0; i < n; i++)
		loaded_release(&l[i]);
	free(l);
	free(run);
	return ok ? EXIT_OK : EXIT_ERROR;
}

const struct command command_show = {
	.id = COMMAND_show,
	.name = "show",
	.operands = "RUN...",
	.summary = "Show the operations of a run by total latency",
	.min_operands = 1,
	.max_operands = MANY_OPERANDS,
	.output_formats = OUTPUT_FORMATS_TABLE,
	.run = run_show,
};
