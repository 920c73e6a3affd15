/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints of one operation and their buckets: keeping them side by side, and adding them up
 * in time linear in them. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/xalloc.h"
#include "profile/draft.h"

/* --- keeping them ------------------------------------------------------------------ */

enum {
	MOST_PRINTS = 64, /* of a block */
	MOST_BUCKETS = 1024,
	MANY_BUCKETS = 64, /* of a print: they need no neighbours, and would leave gaps */
};

/* As much again as there is: most operations have one print, some very many. */
static size_t block_size(size_t need, size_t have, size_t most)
{
	size_t size = have < most ? have : most;

	return size > need ? size : need;
}

static struct print *series_add_print(struct series *s, struct arena *scratch)
{
	struct print *p;

	if (s->n_print_room == 0) {
		s->n_print_room = block_size(1, s->n_prints, MOST_PRINTS);
		s->print_room = arena_room(scratch, s->n_print_room, sizeof(*p));
	}
	p = s->print_room++;
	s->n_print_room--;
	s->n_prints++;
	*p = (struct print){ .hist = { .scheme = &bucket_octaves } };
	if (s->last != NULL)
		s->last->next = p;
	else
		s->first = p;
	s->last = p;
	return p;
}

/* Its one print becomes the first of a series. */
static void start_series(struct draft *d, struct operation *op, struct arena *scratch)
{
	struct series *s = arena_make(scratch, struct series, 1);
	struct print *p = series_add_print(s, scratch);

	p->interval = d->interval;
	p->marks = d->marks;
	p->hist = op->hist;
	p->stated = op->stated;
	op->hist = (struct histogram){ .scheme = &bucket_octaves,
				       .approximate = op->hist.approximate,
				       .granularity = op->hist.granularity };
	op->stated = (struct stated){ .count = 0 };
	s->whole = p->interval == WHOLE_RUN ? p : NULL;
	s->rows = p->marks.has_hist && !p->marks.by_index ? p : NULL;
	s->n_buckets = p->hist.n;
	s->has_hist = p->marks.has_hist;
	d->series = s;
}

static struct hand in_operation(struct builder *b)
{
	return (struct hand){ .hist = &b->op->hist,
			      .stated = &b->op->stated,
			      .marks = &b->of_op->marks };
}

static struct hand in_series(struct print *p)
{
	return (struct hand){
		.hist = &p->hist, .stated = &p->stated, .marks = &p->marks, .print = p
	};
}

struct hand add_print(struct builder *b)
{
	struct draft *d = b->of_op;
	struct print *p;

	b->interval_used = true;
	if (!d->has_print) {
		d->has_print = true;
		d->interval = b->interval;
		return in_operation(b);
	}
	if (d->series == NULL)
		start_series(d, b->op, b->scratch);
	p = series_add_print(d->series, b->scratch);
	p->interval = b->interval;
	if (b->interval == WHOLE_RUN && d->series->whole == NULL)
		d->series->whole = p;
	return in_series(p);
}

struct hand print_at_hand(struct builder *b)
{
	const struct series *s = b->of_op->series;

	if (s == NULL && b->of_op->has_print && b->of_op->interval == b->interval)
		return in_operation(b);
	if (s != NULL && s->last->interval == b->interval)
		return in_series(s->last);
	if (s != NULL && b->interval == WHOLE_RUN && s->whole != NULL)
		return in_series(s->whole); /* again, behind intervals */
	return add_print(b);
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

/* Whether the first n edges are those of `h`. */
static bool begins_as(const struct bucket *bucket, size_t n, const struct histogram *h)
{
	for (size_t i = 0; i < n; i++) {
		if (bucket[i].low != h->bucket[i].low || bucket[i].high != h->bucket[i].high)
			return false;
	}
	return true;
}

/* Prints of one histogram mostly have the same rows, up to the highest with a call. */
static void compare_rows(struct series *s, struct print *p, const struct bucket *bucket, size_t n)
{
	struct print *rows = s->rows;

	if (p->marks.by_index)
		return;
	if (rows == NULL) {
		s->rows = p;
	} else if (n <= rows->hist.n) {
		p->marks.told = begins_as(bucket, n, &rows->hist);
	} else if (begins_as(bucket, rows->hist.n, &rows->hist)) {
		rows->marks.told = true;
		s->rows = p;
	}
}

static struct bucket *take_room(struct series *s, size_t n, struct arena *a)
{
	struct bucket *room;

	if (s->n_bucket_room < n) {
		s->n_bucket_room = block_size(n, s->n_buckets, MOST_BUCKETS);
		s->bucket_room = arena_room(a, s->n_bucket_room, sizeof(*room));
	}
	room = s->bucket_room;
	s->bucket_room += n;
	s->n_bucket_room -= n;
	return room;
}

void series_take_buckets(struct series *s, struct print *p, struct bucket *bucket, size_t n,
			 struct arena *a)
{
	compare_rows(s, p, bucket, n);
	if (p->marks.told && p->marks.has_empty) {
		n = drop_empty(bucket, n);
		p->marks.has_empty = false;
	}
	p->hist.n = n;
	if (n == 0)
		return;
	p->hist.bucket = n < MANY_BUCKETS ? take_room(s, n, a) : arena_room(a, n, sizeof(*bucket));
	memcpy(p->hist.bucket, bucket, n * sizeof(*bucket));
	s->n_buckets += n;
}

/* --- adding them up ------------------------------------------------------------------ */

static int by_index(const void *pa, const void *pb)
{
	const struct bucket *a = pa, *b = pb;

	return (a->index > b->index) - (a->index < b->index);
}

static bool is_added(const struct print *p)
{
	return p->marks.has_hist && p->interval != WHOLE_RUN && p->hist.n > 0;
}

/* Buckets of all prints by their number, where numbers lie close together. */
static size_t count_buckets(const struct series *s, int least, size_t range, struct bucket *at)
{
	for (const struct print *p = s->first; p != NULL; p = p->next) {
		for (size_t i = 0; is_added(p) && i < p->hist.n; i++) {
			const struct bucket *from = &p->hist.bucket[i];
			struct bucket *sum = &at[from->index - least];

			if (sum->count == 0)
				*sum = *from;
			else
				sum->count += from->count;
		}
	}
	return drop_empty(at, range);
}

static size_t sort_buckets(const struct series *s, struct bucket *to)
{
	size_t n = 0, kept = 0;

	for (const struct print *p = s->first; p != NULL; p = p->next) {
		if (!is_added(p))
			continue;
		memcpy(to + n, p->hist.bucket, p->hist.n * sizeof(*to));
		n += p->hist.n;
	}
	if (n == 0)
		return 0;
	qsort(to, n, sizeof(*to), by_index);
	for (size_t i = 1; i < n; i++) {
		if (to[i].index == to[kept].index)
			to[kept].count += to[i].count;
		else
			to[++kept] = to[i];
	}
	return kept + 1;
}

void series_add_buckets(struct builder *b, const struct series *s, struct histogram *sum)
{
	int least = INT_MAX, most = INT_MIN;
	struct bucket *room;
	size_t range;

	for (const struct print *p = s->first; p != NULL; p = p->next) {
		if (!is_added(p))
			continue;
		least = p->hist.bucket[0].index < least ? p->hist.bucket[0].index : least;
		most = p->hist.bucket[p->hist.n - 1].index > most
			       ? p->hist.bucket[p->hist.n - 1].index
			       : most;
	}
	range = least <= most ? (size_t)((long)most - least) + 1 : 0;
	if (range > 0 && range <= sum->n) {
		room = xcalloc(range, sizeof(*room));
		sum->n = count_buckets(s, least, range, room);
	} else {
		room = xreallocarray(NULL, sum->n, sizeof(*room));
		sum->n = sort_buckets(s, room);
	}
	sum->bucket = arena_copy(b->arena, room, sum->n, sizeof(*room));
	free(room);
}
