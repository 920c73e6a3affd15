/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/predict.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/stats/significance.h"
#include "base/arena.h"

/* Numbers of runs, and what is needed of their logarithms. */
struct log_sums {
	size_t n;
	double sum, squares;
};

static void add_cost(struct log_sums *s, double cost)
{
	double v = log(cost);

	s->n++;
	s->sum += v;
	s->squares += v * v;
}

/* Returns the geometric mean and the interval of one more number. */
static struct estimate estimate_of(const struct log_sums *s)
{
	double n = (double)s->n, mean, variance, reach;

	if (s->n == 0)
		return (struct estimate){ NAN, NAN, NAN };
	mean = s->sum / n;
	if (s->n == 1)
		return (struct estimate){ exp(mean), NAN, NAN };
	variance = fmax(s->squares - s->sum * mean, 0) / (n - 1);
	reach = t_limit(0.025, n - 1) * sqrt(variance * (1 + 1 / n));
	return (struct estimate){ exp(mean), exp(mean - reach), exp(mean + reach) };
}

static struct estimate estimate_times(struct estimate e, double calls)
{
	return (struct estimate){ e.value * calls, e.low * calls, e.high * calls };
}

/* What calls cost in each run: of operation i in run r, cost[i * n_runs + r]; 0 where it is not
 * known. */
struct cost_table {
	double *cost;
	size_t n_runs;
};

static int by_key(const void *one, const void *other)
{
	return operation_cmp_key(*(const struct operation *const *)one,
				 *(const struct operation *const *)other);
}

/* Returns the operations of a run, sorted. */
static const struct operation **sorted_operations(struct arena *a, const struct profile *p)
{
	const struct operation **op = arena_make(a, const struct operation *, p->n_ops);

	for (size_t i = 0; i < p->n_ops; i++)
		op[i] = &p->op[i];
	qsort(op, p->n_ops, sizeof(*op), by_key);
	return op;
}

static void read_costs(struct cost_table *t, struct arena *a, const struct profile *run, size_t r,
		       const struct profile *counts)
{
	const struct operation **sorted = sorted_operations(a, run);

	for (size_t i = 0; i < counts->n_ops; i++) {
		const struct operation *key = &counts->op[i];
		const struct operation *const *same =
			bsearch(&key, sorted, run->n_ops, sizeof(*sorted), by_key);

		if (same != NULL && operation_count(*same) > 0)
			t->cost[i * t->n_runs + r] =
				operation_own(*same) / (double)operation_count(*same);
	}
}

static struct cost_table costs_of(struct arena *a, const struct runs_side *costs,
				  const struct profile *counts)
{
	struct cost_table t = { arena_make(a, double, counts->n_ops * costs->n), costs->n };

	for (size_t r = 0; r < costs->n; r++)
		read_costs(&t, a, costs->run[r], r, counts);
	return t;
}

static struct predicted predict_operation(const struct operation *op, const double *cost,
					  size_t n_runs, double n_counts, double scale)
{
	struct predicted p = { .op = op, .calls = (double)operation_count(op) / n_counts };
	struct log_sums sums = { .n = 0 };

	for (size_t r = 0; r < n_runs; r++)
		if (cost[r] > 0)
			add_cost(&sums, cost[r]);
	p.n_runs = sums.n;
	p.cost = estimate_of(&sums);
	p.total = estimate_times(p.cost, p.calls);
	p.observed = operation_own(op) / n_counts * scale;
	return p;
}

static int longer_total(const void *one, const void *other)
{
	const struct predicted *a = one, *b = other;
	double of_a = a->n_runs > 0 ? a->total.value : -1;
	double of_b = b->n_runs > 0 ? b->total.value : -1;

	if (of_a != of_b)
		return of_a > of_b ? -1 : 1;
	return operation_cmp_key(a->op, b->op);
}

static void count_operation(struct prediction *all, const struct predicted *p)
{
	all->calls += p->calls;
	if (p->n_runs > 0) {
		all->observed += p->observed;
		return;
	}
	all->calls_without_cost += p->calls;
	all->n_without_cost++;
}

struct prediction predict(struct arena *a, const struct runs_side *costs,
			  const struct profile *counts, size_t n_counts, double scale)
{
	struct prediction all = { .v = arena_make(a, struct predicted, counts->n_ops) };
	struct cost_table t = costs_of(a, costs, counts);
	double *in_run = arena_make(a, double, costs->n); /* totals at the costs of one run */
	struct log_sums sums = { .n = 0 };

	for (size_t i = 0; i < counts->n_ops; i++) {
		const struct operation *op = &counts->op[i];
		const double *cost = &t.cost[i * t.n_runs];
		struct predicted *p = &all.v[all.n];

		if (op->idle || operation_count(op) == 0)
			continue;
		*p = predict_operation(op, cost, t.n_runs, (double)n_counts, scale);
		count_operation(&all, p);
		all.n++;
		for (size_t r = 0; p->n_runs > 0 && r < t.n_runs; r++)
			in_run[r] += p->calls * (cost[r] > 0 ? cost[r] : p->cost.value);
	}
	for (size_t r = 0; r < t.n_runs; r++)
		if (in_run[r] > 0)
			add_cost(&sums, in_run[r]);
	all.total = estimate_of(&sums);
	qsort(all.v, all.n, sizeof(*all.v), longer_total);
	return all;
}
