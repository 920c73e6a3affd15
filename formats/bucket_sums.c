/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/bucket_sums.h"

#include <stdlib.h>

#include "base/xalloc.h"

static int by_index(const void *pa, const void *pb)
{
	const struct bucket_sum *a = pa, *b = pb;

	return (a->index > b->index) - (a->index < b->index);
}

bool bucket_sums_settle(struct bucket_sums *s)
{
	size_t kept = 0;

	if (!s->mixed)
		return true;
	qsort(s->at, s->n, sizeof(*s->at), by_index);
	for (size_t i = 1; i < s->n; i++) {
		if (s->at[i].index != s->at[kept].index)
			s->at[++kept] = s->at[i];
		else if (__builtin_add_overflow(s->at[kept].count, s->at[i].count,
						&s->at[kept].count))
			return false;
	}
	s->n = kept + 1;
	s->mixed = false;
	return true;
}

bool bucket_sums_make_room(struct bucket_sums *s)
{
	if (!bucket_sums_settle(s))
		return false;
	/* Half of it at least, or this would come again too soon. */
	s->at = xgrow(s->at, &s->cap, 2 * s->n + 1, sizeof(*s->at));
	return true;
}

void bucket_sums_release(struct bucket_sums *s)
{
	free(s->at);
	*s = (struct bucket_sums){ .n = 0 };
}
