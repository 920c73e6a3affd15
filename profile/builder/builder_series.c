/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps the snapshots of one operation and their buckets, and adds them up in linear time. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/xalloc.h"
#include "profile/builder/builder_parts.h"

/* --- keeping them ------------------------------------------------------------------ */

enum {
	MAX_BUCKETS = 1024, /* in a block */
	MANY_BUCKETS =
		64, /* snapshots with as many are allocated apart, as they would leave gaps */
};

/* Blocks grow with the operation's buckets: most operations have few, some very many. */
static size_t block_size(size_t need, size_t have)
{
	size_t size = have < MAX_BUCKETS ? have : MAX_BUCKETS;

	return size > need ? size : need;
}

static const struct stated stated_of_none = {
	.has_count = true, .has_total = true, .has_self = true, .has_inclusive = true
};

enum stated_sum stated_add(struct stated *to, const struct stated *from)
{
	struct decimal total, self, inclusive;
	uint64_t count;

	if (__builtin_add_overflow(to->count, from->count, &count))
		return STATED_COUNT_OVERFLOW;
	if (!decimal_add(to->total, from->total, &total) ||
	    !decimal_add(to->self, from->self, &self) ||
	    !decimal_add(to->inclusive, from->inclusive, &inclusive))
		return STATED_TOTAL_OVERFLOW;
	to->has_deviation =
		to->count == 0 ? from->has_deviation : to->has_deviation && from->count == 0;
	if (to->count == 0)
		to->deviation = from->deviation;
	to->count = count;
	to->total = total;
	to->self = self;
	to->inclusive = inclusive;
	to->has_count &= from->has_count;
	to->has_total &= from->has_total;
	to->has_self &= from->has_self;
	to->has_inclusive &= from->has_inclusive;
	to->min = from->has_min && (!to->has_min || from->min < to->min) ? from->min : to->min;
	to->max = from->has_max && (!to->has_max || from->max > to->max) ? from->max : to->max;
	to->has_min |= from->has_min;
	to->has_max |= from->has_max;
	return STATED_ADDED;
}

/* Adds the last snapshot to the past if it need not be kept.  One whose sum overflows is kept; the
 * error is reported later. */
static bool add_to_past(struct series *s)
{
	size_t last = s->n - 1;

	return s->n > 0 && !s->snapshot[last].marks.has_hist && last != s->whole &&
	       stated_add(&s->past, &s->interval[last].stated) == STATED_ADDED;
}

static size_t series_add_print(struct builder *b, struct series *s, int interval)
{
	size_t snapshot = add_to_past(s) ? s->n - 1 : s->n++;

	s->interval =
		arena_grow(b->arena, s->interval, &s->cap_intervals, s->n, sizeof(*s->interval));
	s->snapshot =
		arena_grow(b->scratch, s->snapshot, &s->cap_snapshots, s->n, sizeof(*s->snapshot));
	s->interval[snapshot] = (struct interval){ .hist = { .scheme = &bucket_octaves } };
	s->snapshot[snapshot] = (struct snapshot){ .interval = interval };
	if (interval == WHOLE_RUN && s->whole == NO_SNAPSHOT)
		s->whole = snapshot;
	return snapshot;
}

/* Makes the operation's single snapshot the first of a series. */
static void start_series(struct builder *b, struct op_builder *d, struct operation *op)
{
	struct series *s = arena_make(b->scratch, struct series, 1);
	size_t first;

	s->past = stated_of_none;
	s->whole = s->rows = NO_SNAPSHOT;
	first = series_add_print(b, s, d->interval);
	s->snapshot[first].marks = d->marks;
	s->interval[first].hist = op->hist;
	s->interval[first].stated = op->stated;
	s->rows = d->marks.has_hist && !d->marks.by_index ? first : NO_SNAPSHOT;
	s->n_buckets = op->hist.n;
	s->has_hist = d->marks.has_hist;
	op->hist = (struct histogram){ .scheme = &bucket_octaves,
				       .approximate = op->hist.approximate,
				       .granularity = op->hist.granularity };
	op->stated = (struct stated){ .count = 0 };
	d->series = s;
}

static struct current in_operation(struct builder *b)
{
	return (struct current){ .hist = &b->op->hist,
				 .stated = &b->op->stated,
				 .marks = &b->of_op->marks,
				 .snapshot = NO_SNAPSHOT };
}

static struct current in_series(struct series *s, size_t snapshot)
{
	return (struct current){ .hist = &s->interval[snapshot].hist,
				 .stated = &s->interval[snapshot].stated,
				 .marks = &s->snapshot[snapshot].marks,
				 .snapshot = snapshot };
}

struct current add_snapshot(struct builder *b)
{
	struct op_builder *d = b->of_op;

	b->interval_used = true;
	if (!d->has_snapshot) {
		d->has_snapshot = true;
		d->interval = b->interval;
		return in_operation(b);
	}
	if (d->series == NULL)
		start_series(b, d, b->op);
	return in_series(d->series, series_add_print(b, d->series, b->interval));
}

struct current current_snapshot(struct builder *b)
{
	struct series *s = b->of_op->series;

	if (s == NULL && b->of_op->has_snapshot && b->of_op->interval == b->interval)
		return in_operation(b);
	if (s != NULL && s->snapshot[s->n - 1].interval == b->interval)
		return in_series(s, s->n - 1);
	if (s != NULL && b->interval == WHOLE_RUN && s->whole != NO_SNAPSHOT)
		return in_series(s, s->whole); /* again, after intervals */
	return add_snapshot(b);
}

size_t drop_empty(struct bucket *bucket, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		if (bucket[i].count > 0)
			bucket[kept++] = bucket[i];
	}
	return kept;
}

/* Whether the first n buckets have the edges of those of `h`. */
static bool begins_as(const struct bucket *bucket, size_t n, const struct histogram *h)
{
	for (size_t i = 0; i < n; i++) {
		const struct edges *mine = bucket[i].edges, *its = h->bucket[i].edges;

		if (mine != its && (mine->low != its->low || mine->high != its->high))
			return false;
	}
	return true;
}

/* Snapshots of one histogram mostly have the same rows, up to the highest that is not empty. */
static void compare_rows(struct series *s, size_t snapshot, const struct bucket *bucket, size_t n)
{
	struct marks *marks = &s->snapshot[snapshot].marks;
	const struct histogram *rows = s->rows != NO_SNAPSHOT ? &s->interval[s->rows].hist : NULL;

	if (marks->by_index)
		return;
	if (rows == NULL) {
		s->rows = snapshot;
	} else if (n <= rows->n) {
		marks->reported = begins_as(bucket, n, rows);
	} else if (begins_as(bucket, rows->n, rows)) {
		s->snapshot[s->rows].marks.reported = true;
		s->rows = snapshot;
	}
}

static struct bucket *take_room(struct series *s, size_t n, struct arena *a)
{
	struct bucket *room;

	if (s->n_bucket_room < n) {
		s->n_bucket_room = block_size(n, s->n_buckets);
		s->bucket_room = arena_room(a, s->n_bucket_room, sizeof(*room));
	}
	room = s->bucket_room;
	s->bucket_room += n;
	s->n_bucket_room -= n;
	return room;
}

void series_take_buckets(struct series *s, size_t snapshot, struct bucket *bucket, size_t n,
			 struct arena *a)
{
	struct marks *marks = &s->snapshot[snapshot].marks;
	struct histogram *h = &s->interval[snapshot].hist;

	compare_rows(s, snapshot, bucket, n);
	if (marks->reported && marks->has_empty) {
		n = drop_empty(bucket, n);
		marks->has_empty = false;
	}
	h->n = n;
	if (n == 0)
		return;
	h->bucket = n < MANY_BUCKETS ? take_room(s, n, a) : arena_room(a, n, sizeof(*bucket));
	memcpy(h->bucket, bucket, n * sizeof(*bucket));
	s->n_buckets += n;
}

/* --- adding them up ------------------------------------------------------------------ */

static int by_index(const void *pa, const void *pb)
{
	const struct bucket *a = pa, *b = pb;

	return (a->edges->index > b->edges->index) - (a->edges->index < b->edges->index);
}

/* Adds up the buckets of all snapshots in a table by number, for numbers that lie close
 * together. */
static size_t count_buckets(const struct series *s, int min, size_t range, struct bucket *at)
{
	for (size_t k = 0; k < s->n; k++) {
		const struct histogram *h = &s->interval[k].hist;

		for (size_t i = 0; series_has_part(s, k) && i < h->n; i++) {
			struct bucket *sum = &at[h->bucket[i].edges->index - min];

			if (sum->count == 0)
				*sum = h->bucket[i];
			else
				sum->count += h->bucket[i].count;
		}
	}
	return drop_empty(at, range);
}

static size_t sort_buckets(const struct series *s, struct bucket *to)
{
	size_t n = 0, kept = 0;

	for (size_t k = 0; k < s->n; k++) {
		const struct histogram *h = &s->interval[k].hist;

		if (!series_has_part(s, k) || h->n == 0)
			continue;
		memcpy(to + n, h->bucket, h->n * sizeof(*to));
		n += h->n;
	}
	if (n == 0)
		return 0;
	qsort(to, n, sizeof(*to), by_index);
	for (size_t i = 1; i < n; i++) {
		if (to[i].edges->index == to[kept].edges->index)
			to[kept].count += to[i].count;
		else
			to[++kept] = to[i];
	}
	return kept + 1;
}

void series_add_buckets(struct builder *b, const struct series *s, struct histogram *sum)
{
	int min = INT_MAX, max = INT_MIN;
	struct bucket *room;
	size_t range;

	for (size_t k = 0; k < s->n; k++) {
		const struct histogram *h = &s->interval[k].hist;

		if (!series_has_part(s, k) || h->n == 0)
			continue;
		min = h->bucket[0].edges->index < min ? h->bucket[0].edges->index : min;
		max = h->bucket[h->n - 1].edges->index > max ? h->bucket[h->n - 1].edges->index
							     : max;
	}
	range = min <= max ? (size_t)((long)max - min) + 1 : 0;
	if (range > 0 && range <= sum->n) {
		room = xcalloc(range, sizeof(*room));
		sum->n = count_buckets(s, min, range, room);
	} else {
		room = xreallocarray(NULL, sum->n, sizeof(*room));
		sum->n = sort_buckets(s, room);
	}
	sum->bucket = arena_copy(b->arena, room, sum->n, sizeof(*room));
	free(room);
}

void seal_histogram(struct builder *b)
{
	struct histogram *h = b->current.hist;

	if (h == NULL)
		return;
	if (b->current.snapshot != NO_SNAPSHOT) {
		series_take_buckets(b->of_op->series, b->current.snapshot, b->bucket, b->n_buckets,
				    b->arena);
	} else if (b->n_buckets > 0) {
		h->n = b->n_buckets;
		h->bucket = arena_copy(b->arena, b->bucket, h->n, sizeof(*h->bucket));
	}
	b->n_buckets = 0;
	b->current.hist = NULL;
}
