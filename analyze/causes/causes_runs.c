/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests causes over repeated runs: whether the whole difference, and what each path adds, is
 * larger than the difference between runs of one side.  The run is the unit of replication;
 * the false-discovery rate is controlled over all causes.
 */
#include "analyze/causes/causes.h"
#include "analyze/stats/significance.h"
#include "base/arena.h"
#include "calls/call_tree.h"

/* Returns the node of a path in the tree of one run; adds one without cells when it is missing. */
static uint32_t node_in(const struct causes *c, struct arena *a, struct call_tree *t, uint32_t node)
{
	uint32_t n = 0, at = 0, *path;

	for (uint32_t i = node; i != 0; i = c->node[i].parent)
		n++;
	path = arena_alloc(a, (size_t)n + 1, sizeof(*path));
	for (uint32_t i = node, k = n; i != 0; i = c->node[i].parent)
		path[--k] = i;
	for (uint32_t k = 0; k < n; k++) {
		const struct cause_node *step = &c->node[path[k]];

		at = call_tree_child(t, at, call_tree_name(t, step->name), step->kind);
	}
	return at;
}

/* Returns the mean time that a call of the function spends in a node, in one run.  The calls are
 * chosen by the buckets of the sum of all runs, which may be wider. */
static double mean_of(const struct causes *c, struct arena *a, struct call_tree *t, bool before,
		      uint32_t node, bool own)
{
	const struct cause_choice *choice = before ? &c->against : &c->chosen;
	const struct call_tree *all_runs = before ? c->base : c->tree;
	uint32_t at = node_in(c, a, t, node), bucket = 0;
	double sum = 0, calls = 0;

	for (uint32_t i = 0; i < t->n_edges; i++) {
		const struct call_cell *all = NULL, *cell = NULL;

		while (bucket + 1 < all_runs->n_edges && all_runs->edge[bucket + 1] <= t->edge[i])
			bucket++;
		if (!choice->bucket[bucket])
			continue;
		all = call_tree_find_cell(t, 0, i);
		cell = call_tree_find_cell(t, at, i);
		calls += all != NULL ? (double)all->present : 0;
		sum += cell != NULL ? (double)(own ? cell->own : cell->total) : 0;
	}
	return calls > 0 ? sum / calls : NAN;
}

/* Returns the sum of squared deviations from the mean of n runs. */
static double sum_of_squares(const double *v, size_t n, double *ret_mean)
{
	double mean = 0, sum = 0;

	for (size_t i = 0; i < n; i++)
		mean += v[i] / (double)n;
	for (size_t i = 0; i < n; i++)
		sum += (v[i] - mean) * (v[i] - mean);
	*ret_mean = mean;
	return sum;
}

/* Student's t test with a pooled variance; NAN when a run has no such calls. */
static double t_test(const double *before, size_t n_before, const double *after, size_t n_after)
{
	double mean[2], df = (double)(n_before + n_after) - 2;
	double sum = sum_of_squares(before, n_before, &mean[0]) +
		     sum_of_squares(after, n_after, &mean[1]);
	double error = sqrt(sum / df * (1.0 / (double)n_before + 1.0 / (double)n_after));

	if (isnan(sum))
		return NAN;
	if (error == 0)
		return mean[0] == mean[1] ? 1 : 0;
	return t_tail((mean[1] - mean[0]) / error, df);
}

static double p_of(const struct causes *c, struct arena *a, const struct causes_runs *before,
		   const struct causes_runs *after, uint32_t node, bool own)
{
	double *v = arena_alloc(a, before->n + after->n, sizeof(*v));

	for (size_t i = 0; i < before->n; i++)
		v[i] = mean_of(c, a, before->tree[i], true, node, own);
	for (size_t i = 0; i < after->n; i++)
		v[before->n + i] = mean_of(c, a, after->tree[i], false, node, own);
	return t_test(v, before->n, v + before->n, after->n);
}

void causes_test_runs(struct causes *c, struct arena *a, const struct causes_runs *before,
		      const struct causes_runs *after)
{
	double *p, *q;

	if (before->n < 2 || after->n < 2 || c->n_nodes == 0 || c->against.count == 0)
		return;
	p = arena_alloc(a, c->n_causes + 1, sizeof(*p));
	q = arena_alloc(a, c->n_causes + 1, sizeof(*q));
	for (size_t i = 0; i < c->n_causes; i++)
		p[i] = p_of(c, a, before, after, c->cause[i].node, !c->cause[i].spread);
	p[c->n_causes] = p_of(c, a, before, after, 0, false);
	fdr_adjust(p, c->n_causes + 1, q);
	for (size_t i = 0; i < c->n_causes; i++)
		c->cause[i].runs_q = q[i];
	c->runs_q = q[c->n_causes];
	c->n_runs[0] = before->n;
	c->n_runs[1] = after->n;
}
