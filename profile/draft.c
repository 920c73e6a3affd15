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

enum { MOST_PRINTS = 64, MOST_BUCKETS = 1024 }; /* of a block */

/* As much again as there is: most operations have one print, some very many. */
static size_t block_size(size_t need, size_t have, size_t most)
{
	size_t size = have < most ? have : most;

	return size > need ? size : need;
}

struct print *draft_add_print(struct draft *d, struct arena *scratch)
{
	struct print *p;

	if (d->n_print_room == 0) {
		d->n_print_room = block_size(1, d->n_prints, MOST_PRINTS);
		d->print_room = arena_make(scratch, struct print, d->n_print_room);
	}
	p = d->print_room++;
	d->n_print_room--;
	d->n_prints++;
	if (d->last != NULL)
		d->last->next = p;
	else
		d->first = p;
	d->last = p;
	return p;
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
static void compare_rows(struct draft *d, struct print *p, const struct bucket *bucket, size_t n)
{
	struct print *rows = d->rows;

	if (p->by_index)
		return;
	if (rows == NULL) {
		d->rows = p;
	} else if (n <= rows->hist.n) {
		p->told = begins_as(bucket, n, &rows->hist);
	} else if (begins_as(bucket, rows->hist.n, &rows->hist)) {
		rows->told = true;
		d->rows = p;
	}
}

void draft_take_buckets(struct draft *d, struct print *p, struct bucket *bucket, size_t n,
			struct arena *a)
{
	compare_rows(d, p, bucket, n);
	if (p->told && p->has_empty) {
		n = drop_empty(bucket, n);
		p->has_empty = false;
	}
	p->hist.n = n;
	if (n == 0)
		return;
	if (d->n_bucket_room < n) {
		d->n_bucket_room = block_size(n, d->n_buckets, MOST_BUCKETS);
		d->bucket_room = arena_make(a, struct bucket, d->n_bucket_room);
	}
	p->hist.bucket = d->bucket_room;
	memcpy(p->hist.bucket, bucket, n * sizeof(*bucket));
	d->bucket_room += n;
	d->n_bucket_room -= n;
	d->n_buckets += n;
}

/* --- adding them up ------------------------------------------------------------------ */

static int by_index(const void *pa, const void *pb)
{
	const struct bucket *a = pa, *b = pb;

	return (a->index > b->index) - (a->index < b->index);
}

static bool is_added(const struct print *p)
{
	return p->has_hist && p->interval != WHOLE_RUN && p->hist.n > 0;
}

/* Buckets of all prints by their number, where numbers lie close together. */
static size_t count_buckets(const struct draft *d, int least, size_t range, struct bucket *to)
{
	struct bucket *at = xcalloc(range, sizeof(*at));
	size_t n = 0;

	for (const struct print *p = d->first; p != NULL; p = p->next) {
		for (size_t i = 0; is_added(p) && i < p->hist.n; i++) {
			const struct bucket *from = &p->hist.bucket[i];
			struct bucket *sum = &at[from->index - least];
			uint64_t before = sum->count;

			*sum = *from;
			sum->count += before;
		}
	}
	for (size_t i = 0; i < range; i++) {
		if (at[i].count > 0)
			to[n++] = at[i];
	}
	free(at);
	return n;
}

static size_t sort_buckets(const struct draft *d, struct bucket *to)
{
	size_t n = 0, kept = 0;

	for (const struct print *p = d->first; p != NULL; p = p->next) {
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

void draft_add_buckets(struct builder *b, const struct draft *d, struct histogram *sum)
{
	int least = INT_MAX, most = INT_MIN;
	size_t range;

	for (const struct print *p = d->first; p != NULL; p = p->next) {
		if (!is_added(p))
			continue;
		least = p->hist.bucket[0].index < least ? p->hist.bucket[0].index : least;
		most = p->hist.bucket[p->hist.n - 1].index > most
			       ? p->hist.bucket[p->hist.n - 1].index
			       : most;
	}
	sum->bucket = arena_make(b->arena, struct bucket, sum->n);
	range = least <= most ? (size_t)((long)most - least) + 1 : 0;
	sum->n = range > 0 && range <= sum->n ? count_buckets(d, least, range, sum->bucket)
					      : sort_buckets(d, sum->bucket);
}
