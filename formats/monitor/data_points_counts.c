/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "formats/monitor/data_points_parts.h"
#include "profile/accumulator/accumulator.h"

bool points_fail(const struct data_points *p, const struct data_point *point, enum diag_code code,
		 const char *what)
{
	return format_fail(p->in, p->diag, code, point->where, "%s", what);
}

/* --- exponential ----------------------------------------------------------------------- */

static int64_t number_of(const struct data_run *run, size_t k)
{
	return run->index != NULL ? run->index[k] : run->offset + (int64_t)k;
}

/* Converts bucket k of a point to the scale of the series. */
static int index_of(const struct series *s, const struct data_point *point, int64_t k)
{
	int64_t shift = point->scale - s->scale;

	if (shift > 62)
		return k < 0 ? -1 : 0;
	return (int)(k >> shift);
}

void points_find_first_bucket(struct series *s)
{
	bool any = false;

	for (const struct entry *e = s->first; e != NULL; e = e->next) {
		const struct data_run *run = &e->point.positive;

		for (size_t i = 0; i < run->n; i++) {
			int index = index_of(s, &e->point, number_of(run, i));

			if (run->count[i] == 0)
				continue;
			if (!any || index < s->first_bucket)
				s->first_bucket = index;
			any = true;
			break;
		}
	}
	if (!any) { /* zeros only: use the lowest buckets */
		s->scale = s->scale < 0 ? s->scale : 0;
		s->first_bucket = s->scale < 0 ? 0 : accumulator_scheme(s->unit, 1).first;
	}
}

/* All negative values are one bucket; values that count as zero are the next. */
static bool add_exponential(const struct series *s, const struct data_point *q,
			    struct bucket_sums *sums)
{
	const struct data_run *below = &q->negative, *above = &q->positive;
	bool fits = true;

	for (size_t k = 0; fits && k < below->n; k++)
		fits = below->count[k] == 0 ||
		       bucket_sums_add(sums, s->first_bucket - 2, below->count[k]);
	if (fits && q->zeros > 0)
		fits = bucket_sums_add(sums, s->first_bucket - 1, q->zeros);
	for (size_t k = 0; fits && k < above->n; k++)
		fits = above->count[k] == 0 ||
		       bucket_sums_add(sums, index_of(s, q, number_of(above, k)), above->count[k]);
	return fits;
}

static double edge_of(int scale, int index)
{
	return exp2(ldexp(index, -scale));
}

/* Pushes buckets of a scale below 0, which are wider than an octave: no scheme describes them. */
static bool push_wide(const struct series *s, const struct bucket_sums *sums, struct str where,
		      struct builder *to)
{
	if (!build_histogram(to, where))
		return false;
	for (size_t i = 0; i < sums->n; i++) {
		int index = sums->at[i].index;
		double low = edge_of(s->scale, index), high = edge_of(s->scale, index + 1);

		if (index < s->first_bucket) {
			bool zero = index == s->first_bucket - 1;

			low = zero ? 0 : -HUGE_VAL;
			high = zero ? edge_of(s->scale, s->first_bucket) : 0;
		}
		if (!build_range(to, low, high, sums->at[i].count, where))
			return false;
	}
	return true;
}

static bool push_fine(const struct series *s, const struct bucket_sums *sums, struct str where,
		      struct builder *to)
{
	struct bucket_scheme scheme = bucket_log2(1U << s->scale);

	scheme.first = s->first_bucket;
	if (!build_scheme(to, &scheme, where))
		return false;
	for (size_t i = 0; i < sums->n; i++) {
		if (!build_bucket(to, sums->at[i].index, sums->at[i].count, where))
			return false;
	}
	return true;
}

/* --- explicit -------------------------------------------------------------------------- */

bool points_same_bounds(const struct data_point *a, const struct data_point *b)
{
	return a->n_bounds == b->n_bounds &&
	       (a->bound == b->bound || a->n_bounds == 0 ||
		memcmp(a->bound, b->bound, a->n_bounds * sizeof(*a->bound)) == 0);
}

static bool add_explicit(const struct data_point *q, struct bucket_sums *sums)
{
	const struct data_run *run = &q->explicit_counts;
	bool fits = true;

	for (size_t k = 0; fits && k < run->n; k++)
		fits = bucket_sums_add(sums, (int)k, run->count[k]);
	return fits;
}

/* With a first bound of 0, values up to it are 0, so they are counted in the next bucket. */
static bool carry_zeros(const struct data_points *p, const struct data_point *q,
			struct bucket_sums *sums)
{
	return sums->n < 2 ||
	       !__builtin_add_overflow(sums->at[0].count, sums->at[1].count, &sums->at[1].count) ||
	       points_fail(p, q, DIAG_COUNT_OVERFLOW, "the sum of a bucket");
}

/* `sums` has all buckets, or none. */
static bool push_explicit(const struct data_points *p, const struct data_point *q,
			  struct bucket_sums *sums, struct builder *to)
{
	double low = q->bound[0] < 0 ? -HUGE_VAL : 0;
	size_t k = 0;

	if (!build_histogram(to, q->where))
		return false;
	if (q->bound[0] == 0) {
		if (!carry_zeros(p, q, sums))
			return false;
		k = 1;
	}
	for (; k <= q->n_bounds; k++) {
		double high = k < q->n_bounds ? q->bound[k] : HUGE_VAL;

		if (!build_range(to, low, high, sums->n > 0 ? sums->at[k].count : 0, q->where))
			return false;
		low = high;
	}
	return true;
}

/* --- both ------------------------------------------------------------------------------ */

bool points_gather(const struct data_points *p, const struct series *s,
		   const struct entry *const *e, size_t n, struct bucket_sums *ret)
{
	const struct data_point *first = &e[0]->point;
	bool fits = true;

	bucket_sums_clear(ret);
	for (size_t i = 0; fits && i < n; i++) {
		const struct data_point *q = &e[i]->point;

		if (!q->exponential && !points_same_bounds(q, first))
			return points_fail(p, q, DIAG_SCHEME_MIXED,
					   "other bounds in the same series");
		fits = q->exponential ? add_exponential(s, q, ret) : add_explicit(q, ret);
	}
	return (fits && bucket_sums_settle(ret)) ||
	       points_fail(p, first, DIAG_COUNT_OVERFLOW, "the sum of a bucket");
}

bool points_push_counts(const struct data_points *p, const struct series *s,
			const struct data_point *point, struct bucket_sums *counts,
			struct builder *to)
{
	if (!point->exponential)
		return point->n_bounds == 0 || push_explicit(p, point, counts, to);
	return s->scale < 0 ? push_wide(s, counts, point->where, to)
			    : push_fine(s, counts, point->where, to);
}
