/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "analyze/mix.h"
#include "base/arena.h"
#include "base/xalloc.h"
#include "load/load.h"
#include "program/command.h"
#include "report/mix.h"

static void report_loaded(struct context *cx, const struct settings *s, const struct loaded *l,
			  size_t n)
{
	struct arena *a = arena_new();
	const struct profile **p = arena_make(a, const struct profile *, n);
	struct run *run = arena_make(a, struct run, n);
	struct mix m;

	for (size_t i = 0; i < n; i++) {
		p[i] = l[i].profile;
		run[i] = l[i].run;
	}
	m = mix_of(a, p, n);
	for (size_t k = 0; k < cx->n_outputs; k++)
		report_mix(cx->output[k].out, &cx->output[k].style, run, &m, s->options.show.all);
	arena_free(a);
}

static enum exit_status run_mix(struct context *cx, const struct settings *s)
{
	const struct load_options *q = &s->options.load;
	struct loaded *l = xcalloc(q->n_operands, sizeof(*l));
	size_t n = 0;

	while (n < q->n_operands && load_run(&l[n], q->operand + n, 1, q, cx->diag))
		n++;
	if (n == q->n_operands)
		report_loaded(cx, s, l, n);
	for (size_t i = 0; i < n; i++)
		loaded_release(&l[i]);
	free(l);
	return n == q->n_operands ? EXIT_OK : EXIT_ERROR;
}

const struct command command_mix = {
	.id = COMMAND_mix,
	.name = "mix",
	.operands = "RUN...",
	.summary = "Compare which operations workloads consist of",
	.min_operands = 1,
	.max_operands = MANY_OPERANDS,
	.output_formats = OUTPUT_FORMATS_TABLE,
	.run = run_mix,
};
