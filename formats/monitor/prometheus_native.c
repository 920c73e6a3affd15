/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/monitor/prometheus_native.h"

#include <math.h>

#include "base/arena.h"
#include "base/json.h"
#include "formats/monitor/prometheus_series.h"

enum { COARSEST = -4, FINEST = 8 }; /* range of scales */

struct native {
	struct input *in;
	struct diag *diag;
	struct arena *arena;
	struct json j;
	struct data_point point;
	double per_octave; /* buckets per octave: 2^scale */
	int *index;	   /* indices of the positive buckets */
	size_t cap_index, cap_count;
	uint64_t below;
};

enum { RULE_CLOSED = 3 }; /* includes both edges: only the zero bucket does */

struct row {
	uint64_t rule;
	double left, right;
	uint64_t count;
	struct str where;
};

/* Reads "0.0022097086912079612"; only histograms with custom buckets have "+Inf". */
static bool read_edge(struct native *n, double *ret)
{
	struct str s;

	if (!json_text_in_place(&n->j, &s))
		return false;
	if (number_f64(s, ret) == NUMBER_OK && isfinite(*ret))
		return true;
	return format_fail(n->in, n->diag, DIAG_NUMBER_BAD, s,
			   "expected an edge of an exponential bucket");
}

static bool read_count(struct native *n, uint64_t *ret)
{
	struct str s;

	return json_text_in_place(&n->j, &s) && prometheus_count(n->in, n->diag, s, ret);
}

static bool next_item(struct native *n)
{
	return json_item(&n->j) || json_unexpected(&n->j, "expected [rule, left, right, count]");
}

static bool prometheus_native_read_row(struct native *n, struct row *ret)
{
	size_t from = json_begin(&n->j);

	if (!json_open(&n->j, '[') || !next_item(n) || !json_u64(&n->j, &ret->rule) ||
	    !next_item(n) || !read_edge(n, &ret->left) || !next_item(n) ||
	    !read_edge(n, &ret->right) || !next_item(n) || !read_count(n, &ret->count))
		return false;
	if (json_item(&n->j))
		return json_unexpected(&n->j, "expected nothing after the count");
	ret->where = json_since(&n->j, from);
	return !n->j.failed;
}

/* Finds the scale, given that edges are powers of 2^(2^-scale). */
static bool find_scale(struct native *n, double low, double high)
{
	double scale = -round(log2(log2(high / low)));

	if (!(scale >= COARSEST && scale <= FINEST))
		return false;
	n->point.scale = (int64_t)scale;
	n->per_octave = exp2(scale);
	return true;
}

static bool find_index(const struct native *n, double low, double high, int *ret)
{
	const double digits = 1e-6; /* tolerance for edges */
	double from = log2(low) * n->per_octave, to = log2(high) * n->per_octave;
	double index = round(from);

	if (!(fabs(from - index) < digits) || !(fabs(to - index - 1) < digits))
		return false;
	*ret = (int)index;
	return true;
}

static bool bad_edges(const struct native *n, const struct row *row)
{
	return format_fail(n->in, n->diag, DIAG_BUCKET_BOUNDS, row->where,
			   "no bucket of an exponential histogram");
}

static bool add_above(struct native *n, const struct row *row)
{
	struct data_run *run = &n->point.positive;
	bool known = run->n > 0;
	int index;

	if ((!known && !find_scale(n, row->left, row->right)) ||
	    !find_index(n, row->left, row->right, &index))
		return bad_edges(n, row);
	if (known && index <= n->index[run->n - 1])
		return format_fail(n->in, n->diag, DIAG_BUCKET_ORDER, row->where,
				   "expected buckets that ascend");
	n->index = arena_grow(n->arena, n->index, &n->cap_index, run->n + 1, sizeof(*n->index));
	run->count =
		arena_grow(n->arena, run->count, &n->cap_count, run->n + 1, sizeof(*run->count));
	n->index[run->n] = index;
	run->count[run->n++] = row->count;
	return true;
}

/* Adds a bucket; all negative ones are counted together. */
static bool prometheus_native_add_row(struct native *n, const struct row *row)
{
	uint64_t *sum = row->rule == RULE_CLOSED ? &n->point.zeros : &n->below;

	if (row->left > 0 && row->left < row->right)
		return add_above(n, row);
	if (!(row->left < row->right) || (row->rule == RULE_CLOSED) != (row->right >= 0))
		return bad_edges(n, row);
	return !__builtin_add_overflow(*sum, row->count, sum) ||
	       format_fail(n->in, n->diag, DIAG_COUNT_OVERFLOW, row->where, "the sum of a bucket");
}

static bool read_buckets(struct native *n)
{
	struct row row;

	for (json_array(&n->j); json_item(&n->j);) {
		if (!prometheus_native_read_row(n, &row) || !prometheus_native_add_row(n, &row))
			return false;
	}
	return !n->j.failed;
}

bool prometheus_native(struct input *in, struct diag *diag, struct arena *a, struct str object,
		       struct data_point *ret)
{
	struct native n = { .in = in,
			    .diag = diag,
			    .arena = a,
			    .point = { .exponential = true, .where = object } };
	struct str key, sum;

	json_start(&n.j, cursor_at(in, object), a, diag);
	for (json_object(&n.j); json_key(&n.j, &key);) {
		bool done;

		if (str_eq(key, STR("count")))
			done = read_count(&n, &n.point.count);
		else if (str_eq(key, STR("sum")))
			done = json_text_in_place(&n.j, &sum) &&
			       prometheus_sum(in, diag, sum, &n.point.has_sum, &n.point.sum);
		else if (str_eq(key, STR("buckets")))
			done = read_buckets(&n);
		else
			done = json_skip(&n.j);
		if (!done)
			return false;
	}
	n.point.positive.index = n.index;
	n.point.negative.count = arena_copy(a, &n.below, 1, sizeof(n.below));
	n.point.negative.n = n.below > 0;
	*ret = n.point;
	return !n.j.failed;
}
