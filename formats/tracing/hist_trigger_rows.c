/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/tracing/hist_trigger_rows.h"

#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "profile/accumulator/accumulator.h"

struct hist_row {
	double low; /* the sort key */
	int index;
	uint64_t count;
	struct str where;
	size_t next; /* of its group */
};

struct hist_group {
	struct str name;
	size_t first, last, n; /* of its rows, which are mixed with those of other groups */
	bool ascending;	       /* its rows are */
	bool exact;	       /* total, least and most include all its rows */
	struct decimal total;
	double min, max;
	struct str where;
	UT_hash_handle hh;
};

void hist_rows_start(struct hist_rows *r, struct lines *lines, struct arena *arena,
		     const struct hist_key *key, unsigned resolution)
{
	r->lines = lines;
	r->arena = arena;
	r->key = key;
	r->unit = unit_in_name(key->name);
	r->scheme = accumulator_scheme(UNIT_UNKNOWN, resolution);
	if (key->shape == SHAPE_BUCKETS)
		r->scheme = bucket_linear(0, (double)key->width);
	if (key->shape != SHAPE_LOG2)
		return;
	/* (2^(k-1), 2^k] of whole numbers is [2^(k-1) + 1, 2^k + 1) */
	r->edge[0] = 0;
	for (int i = 1; i <= HIST_LOG2_BUCKETS; i++)
		r->edge[i] = (double)(UINT64_C(1) << (i - 1)) + 1;
	r->scheme = bucket_edges(r->edge, HIST_LOG2_BUCKETS + 1);
}

static struct hist_group *find_group(struct hist_rows *r, struct str name, struct str where)
{
	struct hist_group *g = r->current;

	if (g != NULL && str_eq(g->name, name))
		return g;
	HASH_FIND(hh, r->groups, name.p, name.n, g);
	if (g == NULL) {
		g = arena_make(r->arena, struct hist_group, 1);
		*g = (struct hist_group){ .name = arena_str(r->arena, name),
					  .where = where,
					  .ascending = true,
					  .exact = true };
		HASH_ADD_KEYPTR(hh, r->groups, g->name.p, g->name.n, g);
	}
	r->current = g;
	return g;
}

/* A plain number; signed ones were printed unsigned. */
static bool place_plain(struct hist_rows *r, struct hist_group *g, struct str s,
			struct hist_row *row)
{
	struct decimal part, sum;
	uint64_t v;

	if (number_u64(s, &v) != NUMBER_OK)
		return lines_fail(r->lines, DIAG_NUMBER_BAD, s, "expected a latency");
	row->low = v > INT64_MAX ? (double)(int64_t)v : (double)v;
	row->index = bucket_find(&r->scheme, row->low);
	part = v > INT64_MAX ? decimal_from_i64((int64_t)v) : decimal_from_u64(v);
	if (!decimal_times(part, row->count, &part) || !decimal_add(g->total, part, &sum))
		return lines_fail(r->lines, DIAG_TOTAL_OVERFLOW, s, "the sum passes 1.7e29 here");
	g->total = sum;
	g->min = g->n == 0 ? row->low : fmin(g->min, row->low);
	g->max = g->n == 0 ? row->low : fmax(g->max, row->low);
	return true;
}

/* "~ 2^4" */
static bool place_log2(struct hist_rows *r, struct str s, struct hist_row *row)
{
	struct cursor c = cursor_at(r->lines->in, s);
	uint64_t k;

	if (!scan_literal(&c, STR("~ 2^")) || !scan_u64(&c, &k) || !cursor_done(&c))
		return lines_fail(r->lines, DIAG_LINE_UNEXPECTED, s, "expected ~ 2^N");
	if (k >= HIST_LOG2_BUCKETS)
		return lines_fail(r->lines, DIAG_BUCKET_BOUNDS, s, "expected an exponent below 64");
	row->index = (int)k;
	row->low = (double)k;
	return true;
}

/* "~ 10-19" */
static bool place_linear(struct hist_rows *r, uint64_t width, struct str s, struct hist_row *row)
{
	struct cursor c = cursor_at(r->lines->in, s);
	uint64_t low, high;

	if (!scan_literal(&c, STR("~ ")) || !scan_u64(&c, &low) || !scan_char(&c, '-') ||
	    !scan_u64(&c, &high) || !cursor_done(&c))
		return lines_fail(r->lines, DIAG_LINE_UNEXPECTED, s, "expected ~ LOW-HIGH");
	if (low % width != 0 || high - low != width - 1 || low / width >= BUCKET_NO_LIMIT)
		return lines_fail(r->lines, DIAG_BUCKET_BOUNDS, s,
				  "not a bucket of the trigger's width");
	row->index = (int)(low / width);
	row->low = (double)low;
	return true;
}

bool hist_rows_add(struct hist_rows *r, struct str name, struct str latency, uint64_t hits,
		   struct str where)
{
	struct hist_group *g = find_group(r, name, where);
	struct hist_row row = { .count = hits, .where = where };
	bool ok;

	if (r->key->shape == SHAPE_LOG2)
		ok = place_log2(r, latency, &row);
	else if (r->key->shape == SHAPE_BUCKETS)
		ok = place_linear(r, r->key->width, latency, &row);
	else
		ok = place_plain(r, g, latency, &row);
	if (!ok)
		return false;
	g->exact = r->key->shape == SHAPE_PLAIN;
	g->ascending = g->ascending && (g->n == 0 || r->row[g->last].low < row.low);
	r->row = xgrow(r->row, &r->cap_rows, r->n_rows + 1, sizeof(*r->row));
	r->row[r->n_rows] = row;
	*(g->n++ == 0 ? &g->first : &r->row[g->last].next) = r->n_rows;
	g->last = r->n_rows++;
	return true;
}

/* --- pushing ------------------------------------------------------------------------ */

static int by_low(const void *pa, const void *pb)
{
	const struct hist_row *a = pa, *b = pb;

	return (a->low > b->low) - (a->low < b->low);
}

/* Returns the rows of a group, sorted; valid until the next call. */
static const struct hist_row *gather_rows(struct hist_rows *r, const struct hist_group *g)
{
	size_t at = g->first;

	r->sorted = xgrow(r->sorted, &r->cap_sorted, g->n, sizeof(*r->sorted));
	for (size_t i = 0; i < g->n; i++, at = r->row[at].next)
		r->sorted[i] = r->row[at];
	if (!g->ascending)
		qsort(r->sorted, g->n, sizeof(*r->sorted), by_low);
	return r->sorted;
}

static bool push_group(struct hist_rows *r, const struct hist_group *g, struct str layer,
		       struct builder *to)
{
	const struct hist_row *rows = gather_rows(r, g);
	uint64_t calls = 0, here = 0;

	if (!build_operation(to, layer, g->name, g->where) ||
	    !build_scheme(to, &r->scheme, g->where))
		return false;
	build_unit(to, r->unit, UNIT_GUESSED);
	for (size_t i = 0; i < g->n; i++) {
		const struct hist_row *row = &rows[i];

		if (__builtin_add_overflow(calls, row->count, &calls))
			return lines_fail(r->lines, DIAG_COUNT_OVERFLOW, row->where,
					  "the sum passes 2^64-1 here");
		here += row->count;
		if (i + 1 < g->n && row[1].index == row->index)
			continue;
		if (!build_bucket(to, row->index, here, row->where))
			return false;
		here = 0;
	}
	if (!g->exact || g->n == 0)
		return true;
	build_min(to, g->min);
	build_max(to, g->max);
	return build_count(to, calls, g->where) && build_total(to, g->total, g->where);
}

bool hist_rows_push(struct hist_rows *r, struct str layer, struct builder *to)
{
	for (struct hist_group *g = r->groups; g != NULL; g = g->hh.next) {
		if (!push_group(r, g, layer, to))
			return false;
	}
	return true;
}

void hist_rows_drop(struct hist_rows *r)
{
	HASH_CLEAR(hh, r->groups);
	r->current = NULL;
	r->n_rows = 0;
}

void hist_rows_release(struct hist_rows *r)
{
	hist_rows_drop(r);
	free(r->row);
	free(r->sorted);
}
