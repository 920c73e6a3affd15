/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/layers/layers.h"
#include "analyze/totals.h"
#include "base/arena.h"
#include "base/diag.h"
#include "load/load.h"
#include "program/command.h"
#include "report/layers.h"

static bool is_chosen(const struct operation *op, const void *settings)
{
	return is_wanted(op, settings);
}

/* Messages about nesting were reported when the runs were read.  A side whose calls never reached
 * the lower layer has no nesting. */
static bool find_layers(struct arena *a, struct layers_report *r, struct diag *diag)
{
	struct diag silent = { .emit = NULL };
	bool any = false;

	for (size_t i = 0; i < r->n_runs; i++)
		any |= layers_of(a, r->run[i].profile, &silent, &r->layered[i]);
	if (!any)
		diag_plain(diag, DIAG_NEST_UNKNOWN,
			   "%s: use --nest 'UPPER>LOWER' to say what calls what", r->run[0].path);
	return any;
}

static bool compare_layers(struct arena *a, struct layers_report *r, struct diag *diag)
{
	const struct profile *pb = r->run[0].profile, *pa = r->run[1].profile;
	struct layer_side before = { &r->layered[0], 1, (double)r->run[0].n_runs };
	struct layer_side after = { &r->layered[1], 1, (double)r->run[1].n_runs };

	if (!unit_scale(pa->unit, pa->hz, pb->unit, pb->hz, &after.scale)) {
		diag_plain(diag, DIAG_UNIT_CLASH, "%s in %s, %s in %s; use --unit or --hz",
			   r->run[0].path, unit_name(pb->unit), r->run[1].path,
			   unit_name(pa->unit));
		return false;
	}
	r->change = layers_compare(a, &before, &after, &r->n_changes);
	return true;
}

static bool report_sides(struct context *cx, const struct settings *s, struct loaded *l, size_t n)
{
	struct arena *a = arena_new();
	struct layers_report r = {
		.n_runs = n, .all = s->options.show.all, .wanted = is_chosen, .ctx = s
	};
	bool ok;

	r.scale = (struct scale){ .unit = l[0].profile->unit, .hz = l[0].profile->hz };
	for (size_t i = 0; i < n; i++)
		r.run[i] = l[i].run;
	ok = find_layers(a, &r, cx->diag) && (n < 2 || compare_layers(a, &r, cx->diag));
	if (ok)
		for (size_t k = 0; k < cx->n_outputs; k++)
			report_layers(cx->output[k].out, &cx->output[k].style, &r);
	arena_free(a);
	return ok;
}

static enum exit_status run_layers(struct context *cx, const struct settings *s)
{
	struct settings unfiltered = *s;
	struct loaded l[2];
	size_t n = s->options.load.separated || s->options.load.n_operands > 1 ? 2 : 1;
	bool ok;

	unfiltered.options.load.op = unfiltered.options.load.layer = NULL;
	if (n == 1 ? !load_run(&l[0], s->options.load.operand, 1, &unfiltered.options.load,
			       cx->diag)
		   : !load_sides(&l[0], &l[1], &unfiltered.options.load, cx->diag))
		return EXIT_ERROR;
	ok = report_sides(cx, s, l, n);
	for (size_t i = 0; i < n; i++)
		loaded_release(&l[i]);
	return ok ? EXIT_OK : EXIT_ERROR;
}

const struct command command_layers = {
	.id = COMMAND_layers,
	.name = "layers",
	.operands = "RUN | BEFORE AFTER",
	.summary = "Show time by layer, and in which layer it changed",
	.min_operands = 1,
	.max_operands = 2,
	.sides = true,
	.output_formats = OUTPUT_FORMATS_TABLE,
	.run = run_layers,
};
