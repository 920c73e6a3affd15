/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/bucket_sums.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

static int by_index(const void *pa, const void *pb)
{
	const struct bucket_sum *a = pa, *b = pb;

	return (a->index > b->index) - (a->index < b->index);
}

static bool sum_sorted(struct bucket_sums *s)
{
	size_t kept = 0;

	qsort(s->at, s->n, sizeof(*s->at), by_index);
	for (size_t i = 1; i < s->n; i++) {
		if (s->at[i].index != s->at[kept].index)
			s->at[++kept] = s->at[i];
		else if (__builtin_add_overflow(s->at[kept].count, s->at[i].count,
						&s->at[kept].count))
			return false;
	}
	s->n = kept + 1;
	return true;
}

/* For bucket numbers in a small range: `range` numbers from `least` on. */
static bool sum_close(struct bucket_sums *s, int min, size_t range)
{
	struct {
		uint64_t count;
		bool any;
	} *sum = xcalloc(range, sizeof(*sum));
	bool fits = true;
	size_t kept = 0;

	for (size_t i = 0; fits && i < s->n; i++) {
		size_t k = (size_t)((long)s->at[i].index - min);

		sum[k].any = true;
		fits = !__builtin_add_overflow(sum[k].count, s->at[i].count, &sum[k].count);
	}
	for (size_t k = 0; fits && k < range; k++) {
		if (sum[k].any)
			s->at[kept++] = (struct bucket_sum){ min + (int)k, sum[k].count };
	}
	free(sum);
	s->n = kept;
	return fits;
}

bool bucket_sums_settle(struct bucket_sums *s)
{
	int min, max;
	size_t range;

	if (!s->mixed)
		return true;
	min = max = s->at[0].index;
	for (size_t i = 1; i < s->n; i++) {
		min = s->at[i].index < min ? s->at[i].index : min;
		max = s->at[i].index > max ? s->at[i].index : max;
	}
	range = (size_t)((long)max - min) + 1;
	s->mixed = false;
	return range <= 2 * s->n ? sum_close(s, min, range) : sum_sorted(s);
}

bool bucket_sums_make_room(struct bucket_sums *s)
{
	if (!bucket_sums_settle(s))
		return false;
	/* Leave at least half of it free, or this would be called again too soon. */
	s->at = xgrow(s->at, &s->cap, 2 * s->n + 1, sizeof(*s->at));
	return true;
}

void bucket_sums_copy(struct bucket_sums *to, const struct bucket_sums *from)
{
	to->at = xgrow(to->at, &to->cap, from->n, sizeof(*to->at));
	if (from->n > 0)
		memcpy(to->at, from->at, from->n * sizeof(*to->at));
	to->n = from->n;
	to->mixed = from->mixed;
}

static bool holds_sums(const struct bucket_sums *later, const struct bucket_sums *earlier)
{
	size_t k = 0;

	for (size_t i = 0; i < earlier->n; i++) {
		const struct bucket_sum *e = &earlier->at[i];

		while (k < later->n && later->at[k].index < e->index)
			k++;
		if (e->count > 0 && (k == later->n || later->at[k].index != e->index ||
				     later->at[k].count < e->count))
			return false;
	}
	return true;
}

bool bucket_sums_subtract(struct bucket_sums *later, const struct bucket_sums *earlier)
{
	size_t i = 0;

	if (!holds_sums(later, earlier))
		return false;
	for (size_t k = 0; k < later->n; k++) {
		while (i < earlier->n && earlier->at[i].index < later->at[k].index)
			i++;
		if (i < earlier->n && earlier->at[i].index == later->at[k].index)
			later->at[k].count -= earlier->at[i].count;
	}
	return true;
}

void bucket_sums_release(struct bucket_sums *s)
{
	free(s->at);
	*s = (struct bucket_sums){ .n = 0 };
}
