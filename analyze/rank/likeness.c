/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/rank/likeness.h"

#include <math.h>

#include "analyze/rank/pair.h"
#include "base/arena.h"

static const double min_operations = 0.25, min_latency = 0.5;

bool likeness_is_low(const struct likeness *l)
{
	return (double)l->shared < min_operations * (double)l->of ||
	       (l->own < min_latency && l->theirs < min_latency);
}

void likeness_add(struct likeness_sums *s, bool has, bool usual, double own, double theirs)
{
	s->n_own += has;
	s->n_theirs += usual;
	s->shared += has && usual;
	s->own += own;
	s->theirs += theirs;
	s->own_shared += has && usual ? own : 0;
	s->theirs_shared += has && usual ? theirs : 0;
}

struct likeness likeness_finish(const struct likeness_sums *s)
{
	return (struct likeness){
		.shared = s->shared,
		.of = s->n_own > s->n_theirs ? s->n_own : s->n_theirs,
		.own = s->own > 0 ? s->own_shared / s->own : NAN,
		.theirs = s->theirs > 0 ? s->theirs_shared / s->theirs : NAN,
	};
}

/* 0 for an operation with another unit than its run. */
static double latency_of(const struct operation *op, const struct profile *p)
{
	return op != NULL && op->unit == p->unit ? operation_own(op) : 0;
}

static bool has_calls(const struct operation *op)
{
	return op != NULL && operation_count(op) > 0;
}

struct likeness likeness_of(const struct profile *own, const struct profile *theirs)
{
	struct likeness_sums s = { .shared = 0 };
	struct arena *a = arena_new();
	size_t n;
	const struct operation_pair *v = pair_operations(a, own, theirs, &n);

	for (size_t i = 0; i < n; i++)
		likeness_add(&s, has_calls(v[i].before), has_calls(v[i].after),
			     latency_of(v[i].before, own), latency_of(v[i].after, theirs));
	arena_free(a);
	return likeness_finish(&s);
}

/* The operations of every run, in the order of the sum's operations. */
static const struct operation_pair **pairs_of(struct arena *a, const struct profile *const *run,
					      size_t n, const struct profile *sum)
{
	const struct operation_pair **v = arena_make(a, const struct operation_pair *, n);
	size_t m;

	for (size_t k = 0; k < n; k++)
		v[k] = pair_operations(a, sum, run[k], &m);
	return v;
}

size_t find_dissimilar_run(const struct profile *const *run, size_t n, const struct profile *sum,
			   struct likeness *ret)
{
	struct arena *a = arena_new();
	const struct operation_pair **v = pairs_of(a, run, n, sum);
	size_t *present = arena_make(a, size_t, sum->n_ops + 1), k;

	for (size_t i = 0; i < sum->n_ops; i++) {
		for (k = 0; k < n; k++)
			present[i] += has_calls(v[k][i].after);
	}
	for (k = 0; k < n; k++) {
		struct likeness_sums s = { .shared = 0 };

		for (size_t i = 0; i < sum->n_ops; i++) {
			bool usual = 2 * present[i] >= n;
			double own = latency_of(v[k][i].after, run[k]);
			double all = latency_of(&sum->op[i], sum);

			likeness_add(&s, has_calls(v[k][i].after), usual, own,
				     usual ? all - own : 0);
		}
		*ret = likeness_finish(&s);
		if (likeness_is_low(ret))
			break;
	}
	arena_free(a);
	return k;
}
