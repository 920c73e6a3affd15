/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adding up the buckets of several prints of one histogram, in time linear in them. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/xalloc.h"
#include "profile/draft.h"

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
