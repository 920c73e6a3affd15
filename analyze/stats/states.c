/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/stats/states.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/xalloc.h"

/* A run is in another state when it lies this many standard deviations of the majority from it.
 * Of normal runs, 6 in 1e9 do; with the deviation estimated from three runs it is 1 in 40, and the
 * gap below must be there, too. */
static const double far_deviations = 6;

/* The gap between the groups is at least this many times the width of the majority. */
static const double wide_gap = 2;

/* A majority of fewer runs shows no width. */
enum { MIN_MAJORITY = 3 };

struct run_value {
	double value;
	size_t run;
};

static int by_value(const void *pa, const void *pb)
{
	const struct run_value *a = pa, *b = pb;

	return (a->value > b->value) - (a->value < b->value);
}

static double median_of_sorted(const struct run_value *v, size_t n)
{
	return (v[(n - 1) / 2].value + v[n / 2].value) / 2;
}

static double deviation_of(const struct run_value *v, size_t n)
{
	double mean = 0, square = 0;

	for (size_t i = 0; i < n; i++)
		mean += v[i].value / (double)n;
	for (size_t i = 0; i < n; i++)
		square += (v[i].value - mean) * (v[i].value - mean);
	return sqrt(square / (double)(n - 1));
}

/* Whether v[from..to) of n sorted values is a state of its own against the rest. */
static bool is_apart(const struct run_value *v, size_t n, size_t from, size_t to, double floor)
{
	bool upper = to == n;
	size_t n_rest = n - (to - from);
	const struct run_value *rest = upper ? v : v + to;
	double gap = upper ? v[from].value - v[from - 1].value : v[to].value - v[to - 1].value;
	double width = rest[n_rest - 1].value - rest[0].value;

	return gap >= far_deviations * fmax(deviation_of(rest, n_rest), floor) &&
	       gap >= wide_gap * width;
}

static struct run_states states_of(struct arena *a, const struct run_value *v, size_t n,
				   size_t from, size_t to)
{
	size_t *at = arena_make(a, size_t, to - from);
	struct run_states s = { .n = to - from, .of = n, .at = at };
	const struct run_value *rest = to == n ? v : v + to;

	for (size_t i = from; i < to; i++)
		at[i - from] = v[i].run;
	for (size_t i = 1; i < s.n; i++) { /* few of them: insertion */
		size_t one = at[i], k = i;

		for (; k > 0 && at[k - 1] > one; k--)
			at[k] = at[k - 1];
		at[k] = one;
	}
	s.factor = exp2(median_of_sorted(v + from, s.n) - median_of_sorted(rest, n - s.n));
	return s;
}

struct run_states states_find(struct arena *a, const double *value, size_t from, size_t to,
			      double floor)
{
	struct run_value *v = xcalloc(to - from + 1, sizeof(*v));
	struct run_states found = { .n = 0 };
	size_t n = 0;

	for (size_t k = from; k < to; k++) {
		if (!isnan(value[k]))
			v[n++] = (struct run_value){ value[k], k };
	}
	qsort(v, n, sizeof(*v), by_value);
	found.of = n;
	/* The largest minority on either end that is apart. */
	for (size_t few = (n - 1) / 2; n > 0 && few > 0 && found.n == 0; few--) {
		if (n - few < MIN_MAJORITY)
			continue;
		if (is_apart(v, n, n - few, n, floor))
			found = states_of(a, v, n, n - few, n);
		else if (is_apart(v, n, 0, few, floor))
			found = states_of(a, v, n, 0, few);
	}
	free(v);
	return found;
}

double states_p(size_t n, size_t of, size_t m, size_t of_m)
{
	unsigned k = (unsigned)(n + m), first = (unsigned)of, second = (unsigned)of_m;
	double own = gsl_ran_hypergeometric_pdf((unsigned)n, first, second, k), sum = 0;

	for (unsigned i = 0; i <= k && i <= first; i++) {
		double p = gsl_ran_hypergeometric_pdf(i, first, second, k);

		if (p <= own * (1 + 1e-9))
			sum += p;
	}
	return fmin(1, sum);
}
