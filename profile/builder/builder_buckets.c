/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes the buckets of the current histogram one by one.  There are more of them than of anything
 * else, so this is a hot path. */
#include <limits.h>
#include <math.h>

#include "base/arena.h"
#include "base/xalloc.h"
#include "profile/builder/builder_parts.h"

static RARELY bool make_room(struct builder *b)
{
	b->bucket = xgrow(b->bucket, &b->cap_buckets, b->n_buckets + 1, sizeof(*b->bucket));
	return true;
}

bool build_histogram(struct builder *b, struct str where)
{
	struct current current;

	if (b->failed)
		return false;
	seal_histogram(b);
	current = current_snapshot(b);
	if (current.marks->has_hist && b->spans_given)
		return build_fail(b, DIAG_OPERATION_TWICE, where, "%.*s has a histogram already",
				  STR_ARG(b->op->name));
	if (current.marks->has_hist) {
		build_next_interval(b, NAN);
		current = add_snapshot(b);
	}
	current.marks->has_hist = true;
	if (current.snapshot != NO_SNAPSHOT) {
		b->of_op->series->snapshot[current.snapshot].where = where;
		b->of_op->series->has_hist = true;
	}
	if (b->cap_buckets == 0)
		(void)make_room(b);
	b->current = current;
	b->hist_where = where;
	b->last_index = INT_MIN;
	return true;
}

bool build_scheme(struct builder *b, const struct bucket_scheme *s, struct str where)
{
	if (b->failed || !build_histogram(b, where))
		return false;
	b->scheme = bucket_scheme_keep(b->arena, s, b->scheme);
	b->current.hist->scheme = b->scheme;
	b->current.marks->by_index = true;
	return true;
}

/* --- buckets --------------------------------------------------------------------- */

static bool add_bucket(struct builder *b, struct bucket bucket, struct str where)
{
	uint64_t *sum = &b->current.hist->count;

	if (__builtin_add_overflow(*sum, bucket.count, sum))
		return sum_overflows(b, where);
	b->bucket[b->n_buckets++] = bucket;
	return b->n_buckets < b->cap_buckets || make_room(b);
}

/* Slow path of build_bucket(): edges that are not in the pool yet, or an error. */
static RARELY bool build_odd_bucket(struct builder *b, int index, uint64_t count, struct str where)
{
	if (b->failed)
		return false;
	if (edges_of_number(&b->edges, b->current.hist->scheme, index) == NULL)
		return build_fail(b, DIAG_BUCKET_BOUNDS, where, "the scheme has no bucket %d",
				  index);
	if (index <= b->last_index)
		return build_fail(b, DIAG_BUCKET_ORDER, where, "%d after %d", index, b->last_index);
	return build_bucket(b, index, count, where);
}

bool build_bucket(struct builder *b, int index, uint64_t count, struct str where)
{
	const struct edges *edges;

	if (b->failed || index <= b->last_index)
		return build_odd_bucket(b, index, count, where);
	edges = edges_numbered(&b->edges, b->current.hist->scheme, index);
	if (edges == NULL)
		return build_odd_bucket(b, index, count, where);
	b->last_index = index;
	return count == 0 || add_bucket(b, (struct bucket){ edges, count }, where);
}

static bool is_in_order(const struct builder *b, double low)
{
	return b->n_buckets == 0 || low >= b->bucket[b->n_buckets - 1].edges->high;
}

static RARELY bool refuse_row(struct builder *b, double low, double high, struct str where)
{
	if (!(low < high))
		return build_fail(b, DIAG_BUCKET_BOUNDS, where, "from %.12g to %.12g", low, high);
	return build_fail(b, DIAG_BUCKET_ORDER, where, "from %.12g after one that ends at %.12g",
			  low, b->bucket[b->n_buckets - 1].edges->high);
}

/* Adds a row that is new in its layer. */
static RARELY const struct edges *new_row(struct builder *b, double low, double high)
{
	struct layer_builder *l = b->of_op->layer;

	inference_row(&l->rows, low, high);
	l->printed = arena_grow(b->scratch, l->printed, &l->cap_printed, l->n_printed + 1,
				sizeof(struct edges *));
	return l->printed[l->n_printed++] = edges_add_printed(&b->edges, l, low, high);
}

bool build_range(struct builder *b, double low, double high, uint64_t count, struct str where)
{
	const struct edges *edges;

	if (b->failed)
		return false;
	if (!(low < high) || !is_in_order(b, low))
		return refuse_row(b, low, high, where);
	edges = edges_printed(&b->edges, b->of_op->layer, low, high);
	if (edges == NULL)
		edges = new_row(b, low, high);
	b->current.marks->has_empty |= count == 0;
	return add_bucket(b, (struct bucket){ edges, count }, where);
}
