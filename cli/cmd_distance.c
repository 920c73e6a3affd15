/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>

#include "analyze/cluster.h"
#include "base/arena.h"
#include "base/diag.h"
#include "base/xalloc.h"
#include "compare/compare.h"
#include "program/command.h"

static enum exit_status between_runs(struct context *cx, const struct settings *s)
{
	struct compare_options how = s->options.compare;
	struct compared c;

	how.rules.threshold = HUGE_VAL; /* selects nothing: only the distance decides the order */
	how.rules.sort = SORT_SCORE;
	if (!compare_runs(&c, &s->options.load, &how, cx->diag))
		return EXIT_ERROR;
	for (size_t k = 0; k < cx->n_outputs; k++)
		report_distance(cx->output[k].out, &cx->output[k].style, &c.comparison);
	compared_release(&c);
	return EXIT_OK;
}

enum { MAX_PAIRWISE = 2000 }; /* operations of a run that are compared with each other */

static void report_left_out(const struct within *w, struct diag *diag)
{
	if (w->n_left_out > 0)
		diag_plain(diag, DIAG_PAIRWISE_PART,
			   "%zu of %zu operations, those of most latency; --op and --layer choose",
			   w->n, w->n + w->n_left_out);
}

/* Computes all distances; NAN between different units and for empty histograms. */
static void fill_distances(struct within *w, double *distance)
{
	struct aligned a;

	aligned_init(&a);
	for (size_t i = 0; i < w->n; i++) {
		for (size_t k = 0; k < w->n; k++) {
			double *to = &distance[i * w->n + k];

			*to = NAN;
			if (w->op[i]->unit != w->op[k]->unit || w->op[i]->hist.n == 0 ||
			    w->op[k]->hist.n == 0)
				continue;
			align(&a, &w->op[i]->hist, &w->op[k]->hist, 1);
			*to = distance_at(w->metric)->between(&a);
		}
	}
	aligned_release(&a);
}

static enum exit_status pairwise_run(struct context *cx, const struct settings *s)
{
	struct within w = { .metric = s->options.compare.rules.metric };
	struct arena *arena;
	struct loaded l;
	double *distance;
	size_t *cluster_of;

	if (s->options.load.n_operands != 1) {
		diag_plain(cx->diag, DIAG_USAGE, "osprof distance --pairwise RUN");
		return EXIT_ERROR;
	}
	if (!load_run(&l, s->options.load.operand, 1, &s->options.load, cx->diag))
		return EXIT_ERROR;
	arena = arena_new();
	w.run = l.run;
	w.n = l.profile->n_ops < MAX_PAIRWISE ? l.profile->n_ops : MAX_PAIRWISE;
	w.n_left_out = l.profile->n_ops - w.n;
	report_left_out(&w, cx->diag);
	w.op = order_by_latency(arena, l.profile);
	distance = xcalloc(w.n * w.n, sizeof(*distance));
	fill_distances(&w, distance);
	w.distance = distance;
	w.similar = isnan(s->similar) ? cluster_default(w.metric) : s->similar;
	cluster_of = arena_make(arena, size_t, w.n);
	w.n_clusters = cluster(distance, w.n, w.similar, cluster_of);
	w.cluster = cluster_of;
	for (size_t k = 0; k < cx->n_outputs; k++)
		report_pairwise(cx->output[k].out, &cx->output[k].style, &w);
	free(distance);
	arena_free(arena);
	loaded_release(&l);
	return EXIT_OK;
}

static enum exit_status run_distance(struct context *cx, const struct settings *s)
{
	if (s->within)
		return pairwise_run(cx, s);
	if (s->options.load.n_operands == 1) {
		diag_plain(cx->diag, DIAG_USAGE,
			   "osprof distance BEFORE AFTER; --pairwise compares the operations "
			   "of one run");
		return EXIT_ERROR;
	}
	return between_runs(cx, s);
}

const struct command command_distance = {
	.id = COMMAND_distance,
	.name = "distance",
	.operands = "BEFORE AFTER",
	.summary = "Print every distance for every operation",
	.min_operands = 1,
	.max_operands = 2,
	.sides = true,
	.output_formats = OUTPUT_FORMATS_TABLE,
	.run = run_distance,
};
