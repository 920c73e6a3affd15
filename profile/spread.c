/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/spread.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/xalloc.h"
#include "profile/bucket.h"
#include "profile/profile.h"

const char *const spread_names[] = { "shift", "mean", "tail", "calls", NULL };

static const double tail_from = 3; /* octaves above the median: 8 times */

/* --- the numbers of one host -------------------------------------------------------- */

static double place_of(const struct histogram *h, size_t i)
{
	return bucket_position(h->scheme, h->bucket[i].edges->index);
}

static double mean_place(const struct histogram *h)
{
	double sum = 0;

	for (size_t i = 0; i < h->n; i++)
		sum += (double)h->bucket[i].count / (double)h->count * place_of(h, i);
	return h->n > 0 ? sum : NAN;
}

static double tail_odds(const struct histogram *h)
{
	uint64_t below = 0, tail = 0;
	size_t i = 0;

	if (h->n == 0)
		return NAN;
	while (below + h->bucket[i].count < h->count - h->count / 2)
		below += h->bucket[i++].count;
	for (double limit = place_of(h, i) + tail_from; i < h->n; i++)
		tail += place_of(h, i) > limit ? h->bucket[i].count : 0;
	return log2(((double)tail + 0.5) / ((double)(h->count - tail) + 0.5));
}

static void fill(struct arena *a, struct host_spread *to, double octaves, struct str host)
{
	struct extreme *one;
	int64_t v;

	if (!(fabs(octaves) < SPREAD_OCTAVES))
		return;
	v = llround(octaves * (1 << SPREAD_BITS));
	one = arena_make(a, struct extreme, 1);
	*one = (struct extreme){ v, host };
	*to = (struct host_spread){ 1, decimal_from_i64(v), decimal_from_i64(v * v), one, 1 };
}

static struct host_spreads *spreads_of(struct arena *a, const struct operation *op, struct str host)
{
	uint64_t calls = operation_count(op);
	struct host_spreads *s;

	if (calls == 0)
		return NULL;
	s = arena_make(a, struct host_spreads, 1);
	*s = (struct host_spreads){ 0 };
	fill(a, &s->of[SPREAD_SHIFT], mean_place(&op->hist), host);
	fill(a, &s->of[SPREAD_MEAN], log2(operation_mean(op)), host);
	fill(a, &s->of[SPREAD_TAIL], tail_odds(&op->hist), host);
	fill(a, &s->of[SPREAD_CALLS], log2((double)calls), host);
	return s;
}

void profile_make_spreads(struct profile *p)
{
	for (size_t i = 0; i < p->n_ops; i++)
		p->op[i].spreads = spreads_of(p->arena, &p->op[i], p->host[0]);
	p->by_host = true;
}

/* --- differences ---------------------------------------------------------------------- */

static void subtract(struct arena *a, struct host_spread *to, const struct host_spread *before,
		     const struct host_spread *after, struct str host)
{
	if (before->n == 1 && after->n == 1)
		fill(a, to, spread_octaves(after->extreme[0].value - before->extreme[0].value),
		     host);
}

static const struct operation *operation_from(const struct profile *p, const struct operation *op,
					      size_t *at)
{
	while (*at < p->n_ops && operation_cmp_key(&p->op[*at], op) < 0)
		++*at;
	return *at < p->n_ops && operation_cmp_key(&p->op[*at], op) == 0 ? &p->op[*at] : NULL;
}

struct profile *profile_spread_differences(const struct profile *a, const struct profile *b)
{
	struct profile *r = profile_new("differences");
	size_t at = 0;

	r->by_host = true;
	r->host = arena_make(r->arena, struct str, 1);
	r->host[r->n_hosts++] = arena_str(r->arena, a->host[0]);
	r->op = arena_make(r->arena, struct operation, a->n_ops);
	for (size_t i = 0; i < a->n_ops; i++) {
		const struct operation *before = &a->op[i], *after = operation_from(b, before, &at);
		struct operation *to = &r->op[r->n_ops];
		struct host_spreads *s;

		if (after == NULL || before->spreads == NULL || after->spreads == NULL)
			continue;
		s = arena_make(r->arena, struct host_spreads, 1);
		*s = (struct host_spreads){ 0 };
		for (int f = 0; f < N_SPREADS; f++)
			subtract(r->arena, &s->of[f], &before->spreads->of[f],
				 &after->spreads->of[f], r->host[0]);
		*to = (struct operation){ .name = arena_str(r->arena, before->name),
					  .layer = arena_str(r->arena, before->layer),
					  .hist = { .scheme = &bucket_octaves },
					  .spreads = s };
		r->n_ops++;
	}
	return r;
}

/* --- adding up ------------------------------------------------------------------------ */

/* Compares by value, then by host. */
static int extreme_cmp(const void *pa, const void *pb)
{
	const struct extreme *a = pa, *b = pb;

	if (a->value != b->value)
		return a->value < b->value ? -1 : 1;
	return str_cmp(a->host, b->host);
}

/* Sorts hosts, and drops those in the middle if there are too many; returns how many are left. */
static size_t keep_farthest(struct extreme *v, size_t n)
{
	qsort(v, n, sizeof(*v), extreme_cmp);
	if (n <= SPREAD_KEPT)
		return n;
	memmove(v + SPREAD_SIDE, v + n - SPREAD_SIDE, SPREAD_SIDE * sizeof(*v));
	return SPREAD_KEPT;
}

static bool add_feature(struct arena *a, const struct operation *const *op, const bool *is_called,
			size_t n, int f, struct host_spread *ret)
{
	struct extreme *v;
	size_t room = 0;

	*ret = (struct host_spread){ 0 };
	for (size_t i = 0; i < n; i++) {
		const struct host_spread *s =
			op[i]->spreads != NULL ? &op[i]->spreads->of[f] : NULL;

		if (s != NULL && s->n > 0)
			room += s->n_extremes;
		else if (is_called[i])
			return true;
	}
	v = arena_make(a, struct extreme, room);
	for (size_t i = 0; i < n; i++) {
		const struct host_spread *s =
			op[i]->spreads != NULL ? &op[i]->spreads->of[f] : NULL;

		if (s == NULL || s->n == 0)
			continue;
		memcpy(v + ret->n_extremes, s->extreme, s->n_extremes * sizeof(*v));
		ret->n_extremes += s->n_extremes;
		ret->n += s->n;
		if (!decimal_add(ret->sum, s->sum, &ret->sum) ||
		    !decimal_add(ret->squares, s->squares, &ret->squares))
			return false;
	}
	if (ret->n_extremes > 0)
		ret->n_extremes = keep_farthest(v, ret->n_extremes);
	ret->extreme = v;
	return true;
}

bool spreads_add(struct arena *a, const struct operation *const *op, const bool *is_called,
		 size_t n, struct host_spreads **ret)
{
	struct host_spreads *sum;
	bool any = false;

	*ret = NULL;
	for (size_t i = 0; i < n; i++)
		any |= op[i]->spreads != NULL;
	if (!any)
		return true;
	sum = arena_make(a, struct host_spreads, 1);
	any = false;
	for (int f = 0; f < N_SPREADS; f++) {
		if (!add_feature(a, op, is_called, n, f, &sum->of[f]))
			return false;
		any |= sum->of[f].n > 0;
	}
	*ret = any ? sum : NULL;
	return true;
}

struct host_spreads *spreads_copy(struct arena *a, const struct host_spreads *s)
{
	struct host_spreads *r;

	if (s == NULL)
		return NULL;
	r = arena_make(a, struct host_spreads, 1);
	*r = *s;
	for (int f = 0; f < N_SPREADS; f++) {
		struct extreme *v = arena_make(a, struct extreme, s->of[f].n_extremes);

		for (size_t i = 0; i < s->of[f].n_extremes; i++)
			v[i] = (struct extreme){ s->of[f].extreme[i].value,
						 arena_str(a, s->of[f].extreme[i].host) };
		r->of[f].extreme = v;
	}
	return r;
}

/* --- statistics -------------------------------------------------------------------- */

double spread_mean(const struct host_spread *s)
{
	return s->n > 0 ? decimal_f64(s->sum) / (double)s->n / (1 << SPREAD_BITS) : NAN;
}

static decimal_int units(struct decimal d)
{
	return d.billionths / 1000000000;
}

/* Returns n times the sum of squares minus the square of the sum; exact, as n is below 2^31. */
static decimal_int n_square_sums(const struct host_spread *s)
{
	return (decimal_int)s->n * units(s->squares) - units(s->sum) * units(s->sum);
}

double spread_variance(const struct host_spread *s)
{
	double n = (double)s->n;

	if (s->n < 2)
		return NAN;
	return (double)n_square_sums(s) / n / (n - 1) / exp2(2 * SPREAD_BITS);
}

static bool is_whole(struct decimal d)
{
	return d.billionths % 1000000000 == 0;
}

bool spread_is_possible(const struct host_spread *s)
{
	const decimal_int max = (decimal_int)1 << (31 + SPREAD_BITS + 11);
	struct decimal seen = { 0 }, seen_squares = { 0 };

	/* These limits keep the products below within 128 bits. */
	if (s->n > INT32_MAX || !is_whole(s->sum) || !is_whole(s->squares) ||
	    units(s->sum) >= max || units(s->sum) <= -max || units(s->squares) < 0 ||
	    s->n_extremes != (s->n < SPREAD_KEPT ? s->n : SPREAD_KEPT))
		return false;
	for (size_t i = 0; i < s->n_extremes; i++) {
		int64_t v = s->extreme[i].value;

		if ((i > 0 && extreme_cmp(&s->extreme[i - 1], &s->extreme[i]) >= 0) ||
		    !decimal_add(seen, decimal_from_i64(v), &seen) ||
		    !decimal_add(seen_squares, decimal_from_i64(v * v), &seen_squares))
			return false;
	}
	if (s->n <= SPREAD_KEPT)
		return decimal_eq(seen, s->sum) && decimal_eq(seen_squares, s->squares);
	return n_square_sums(s) >= 0;
}
