/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>

#include "analyze/calls/call_groups.h"
#include "analyze/stats/kendall.h"
#include "analyze/stats/significance.h"
#include "base/arena.h"
#include "base/sort.h"
#include "base/xalloc.h"

const struct trend_rules trend_rules_default = {
	.level = 0.05,
	.min_octaves = 0.5,
	.min_tau = 0.3,
	.min_tested_calls = 20,
	.min_tested_share = 0.001,
	.blocks = 30,
	.block_calls = 3,
};

enum { TENTHS = 10 };

const char *trend_verdict_name(enum trend_verdict v)
{
	static const char *const names[] = { [TREND_FEW] = "few",
					     [TREND_NONE] = "none",
					     [TREND_GROWS] = "grows",
					     [TREND_SHRINKS] = "shrinks" };

	return names[v];
}

/* --- one operation or site ------------------------------------------------------------------ */

/* A list of latencies that grows. */
struct values {
	double *v;
	size_t n, cap;
};

static void add_value(struct values *to, double v)
{
	to->v = xgrow(to->v, &to->cap, to->n + 1, sizeof(*to->v));
	to->v[to->n++] = v;
}

/* Sums over the processes of one operation or site. */
struct gathering {
	const struct calls *calls;
	const struct trend_rules *rules;
	struct kendall kendall;
	struct values first, last; /* latencies of the first and of the last tenths */
	double *x, *y;		   /* mean call number and median latency of each block */
	double *few;		   /* buffer for the latencies of a block */
	double numbers; /* sum over calls of their number less that of the process's first */
	struct trend *trend;
};

static double latency_at(const struct gathering *g, uint32_t call)
{
	return (double)g->calls->v[call].latency;
}

static double number_at(const struct gathering *g, uint32_t call)
{
	return (double)g->calls->v[call].number;
}

/* Returns the median latency of n consecutive calls; *ret_number is the mean of their numbers. */
static double median_at(struct gathering *g, const uint32_t *call, size_t n, double *ret_number)
{
	double number = 0;

	for (size_t i = 0; i < n; i++) {
		g->few[i] = latency_at(g, call[i]);
		number += number_at(g, call[i]);
	}
	*ret_number = number / (double)n;
	return median_of(g->few, n);
}

static void add_process(struct gathering *g, const uint32_t *call, size_t n)
{
	size_t tenth = n / TENTHS, blocks = n / g->rules->block_calls;

	if (n < g->rules->min_tested_calls)
		return;
	blocks = blocks < g->rules->blocks ? blocks : g->rules->blocks;
	g->trend->n_processes++;
	g->trend->n_looked_at += n;
	for (size_t i = 0; i < tenth; i++) {
		add_value(&g->first, latency_at(g, call[i]));
		add_value(&g->last, latency_at(g, call[n - 1 - i]));
	}
	for (size_t i = 0; i < n; i++)
		g->numbers += number_at(g, call[i]) - number_at(g, call[0]);
	for (size_t b = 0; b < blocks; b++) {
		size_t from = b * n / blocks, to = (b + 1) * n / blocks;

		g->y[b] = median_at(g, call + from, to - from, &g->x[b]);
	}
	kendall_add(&g->kendall, g->x, g->y, blocks, autocorrelation_inflation(g->y, blocks));
}

static bool is_before(const struct calls *c, uint32_t x, uint32_t y)
{
	const struct call *v = c->v;

	if (v[x].process != v[y].process)
		return v[x].process < v[y].process;
	return v[x].number != v[y].number ? v[x].number < v[y].number : x < y;
}

/* By index, by number, and by process: the sort is stable. */
static void sort_by_number(const struct calls *c, uint32_t *call, size_t n)
{
	struct sort_item *item = xcalloc(n, sizeof(*item));

	for (size_t i = 0; i < n; i++)
		item[i] = (struct sort_item){ call[i], call[i] };
	sort_by_key(item, n);
	for (size_t i = 0; i < n; i++)
		item[i].key = c->v[item[i].number].number;
	sort_by_key(item, n);
	for (size_t i = 0; i < n; i++)
		item[i].key = c->v[item[i].number].process;
	sort_by_key(item, n);
	for (size_t i = 0; i < n; i++)
		call[i] = (uint32_t)item[i].number;
	free(item);
}

/* The calls of one process are nearly always in order already. */
static void order_by_number(const struct calls *c, uint32_t *call, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		if (is_before(c, call[i], call[i - 1])) {
			sort_by_number(c, call, n);
			return;
		}
	}
}

/* Fills *t; sorts call[] by process and number. */
static void measure_trend(struct trend *t, const struct calls *c, uint32_t *call, size_t n,
			  const struct trend_rules *rules)
{
	struct gathering g = { .calls = c, .rules = rules, .trend = t };

	order_by_number(c, call, n);
	g.x = xcalloc(rules->blocks, sizeof(*g.x));
	g.y = xcalloc(rules->blocks, sizeof(*g.y));
	g.few = xcalloc(n / rules->blocks + 2 * rules->block_calls, sizeof(*g.few));
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && c->v[call[end]].process == c->v[call[i]].process;
		     end++)
			;
		add_process(&g, call + i, end - i);
	}
	t->calls = n;
	t->first = median_of(g.first.v, g.first.n);
	t->last = median_of(g.last.v, g.last.n);
	t->tau = kendall_tau(&g.kendall);
	t->slope = kendall_slope(&g.kendall);
	/* Use the fitted line, not the first calls: if two of those happen to be slow, they
	 * would outweigh all later calls, and a growing trend would seem to save time. */
	t->extra = t->n_processes > 0 ? t->slope * g.numbers : 0;
	t->p = kendall_p(&g.kendall);
	kendall_release(&g.kendall);
	free(g.first.v);
	free(g.last.v);
	free(g.x);
	free(g.y);
	free(g.few);
}

/* --- all of them ------------------------------------------------------------------------------ */

static size_t size_of_group(const struct call_groups *g, size_t i)
{
	return g->first[i + 1] - g->first[i];
}

static void measure_operations(struct trends *t, const struct calls *c,
			       const struct trend_rules *rules)
{
	struct call_groups g = call_groups_of(c, key_operation);

	for (size_t i = 0; i < g.n; i++) {
		struct trend *one = &t->v[t->n++];

		*one = (struct trend){ .operation = (uint32_t)g.key[i], .all_sites = true };
		measure_trend(one, c, g.call + g.first[i], size_of_group(&g, i), rules);
	}
	call_groups_release(&g);
}

/* A call site has a trend of its own only where its operation is called from several. */
static void measure_sites(struct trends *t, const struct calls *c, const struct trend_rules *rules)
{
	struct call_groups g = call_groups_of(c, key_site);
	size_t *n_sites = xcalloc(c->operations.n, sizeof(*n_sites));

	for (size_t i = 0; i < g.n; i++)
		n_sites[g.key[i] >> 32]++;
	for (size_t i = 0; i < g.n; i++) {
		struct trend one = { .operation = (uint32_t)(g.key[i] >> 32),
				     .site = (uint32_t)g.key[i] };

		if (n_sites[one.operation] < 2 || size_of_group(&g, i) < rules->min_tested_calls)
			continue;
		measure_trend(&one, c, g.call + g.first[i], size_of_group(&g, i), rules);
		if (one.n_processes > 0)
			t->v[t->n++] = one;
	}
	free(n_sites);
	call_groups_release(&g);
}

static enum trend_verdict verdict_of(const struct trend *t, const struct trend_rules *rules)
{
	double octaves = log2(fmax(t->last, 1) / fmax(t->first, 1));

	if (t->n_processes == 0)
		return TREND_FEW;
	if (!(t->q <= rules->level) || fabs(t->tau) < rules->min_tau ||
	    fabs(octaves) < rules->min_octaves || (octaves > 0) != (t->tau > 0))
		return TREND_NONE;
	return t->tau > 0 ? TREND_GROWS : TREND_SHRINKS;
}

static void judge_trends(struct trends *t, double latency, const struct trend_rules *rules)
{
	double *p = xcalloc(t->n + 1, sizeof(*p)), *q = xcalloc(t->n + 1, sizeof(*q));

	for (size_t i = 0; i < t->n; i++)
		p[i] = t->v[i].p;
	fdr_adjust(p, t->n, q);
	for (size_t i = 0; i < t->n; i++) {
		t->v[i].q = q[i];
		t->v[i].verdict = verdict_of(&t->v[i], rules);
		t->v[i].telling =
			(t->v[i].verdict == TREND_GROWS || t->v[i].verdict == TREND_SHRINKS) &&
			fabs(t->v[i].extra) >= rules->min_tested_share * latency;
	}
	free(p);
	free(q);
}

static int by_verdict(const void *a, const void *b)
{
	static const int position[] = {
		[TREND_GROWS] = 0, [TREND_SHRINKS] = 1, [TREND_NONE] = 2, [TREND_FEW] = 3
	};
	const struct trend *x = a, *y = b;
	double ex = fabs(x->extra), ey = fabs(y->extra);

	if (x->verdict != y->verdict)
		return position[x->verdict] - position[y->verdict];
	if (ex != ey)
		return ex > ey ? -1 : 1;
	if (x->calls != y->calls)
		return x->calls > y->calls ? -1 : 1;
	if (x->operation != y->operation)
		return x->operation < y->operation ? -1 : 1;
	if (x->all_sites != y->all_sites)
		return x->all_sites ? -1 : 1;
	return x->site < y->site ? -1 : x->site > y->site;
}

struct trends trends_of(struct arena *a, const struct calls *c, const struct trend_rules *rules)
{
	struct call_groups sites = call_groups_of(c, key_site);
	struct trends t = { .n = 0 };

	t.v = arena_make(a, struct trend, c->operations.n + sites.n);
	call_groups_release(&sites);
	measure_operations(&t, c, rules);
	measure_sites(&t, c, rules);
	judge_trends(&t, calls_summary(c).latency, rules);
	qsort(t.v, t.n, sizeof(*t.v), by_verdict);
	return t;
}
