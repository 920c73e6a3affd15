/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "watch/recent.h"

#include <string.h>

#include "base/diag.h"
#include "profile/merge.h"

static void drop_oldest(struct recent *r, int level, size_t n)
{
	for (size_t i = 0; i < n; i++)
		profile_free(r->part[level][i].p);
	r->n[level] -= n;
	memmove(r->part[level], r->part[level] + n, r->n[level] * sizeof(r->part[level][0]));
}

/* Merges the oldest sums of a level into one of the next level; those of the last level are
 * dropped. */
static void make_room(struct recent *r, int level)
{
	const struct profile *p[RECENT_JOINED];
	struct diag diag = { .emit = NULL };
	struct recent_part joined = { .n = 0 };

	if (r->n[level] < RECENT_EACH)
		return;
	if (level + 1 == RECENT_LEVELS) {
		drop_oldest(r, level, 1);
		return;
	}
	make_room(r, level + 1);
	joined.first = r->part[level][0].first;
	for (size_t i = 0; i < RECENT_JOINED; i++) {
		p[i] = r->part[level][i].p;
		joined.n += r->part[level][i].n;
	}
	joined.p = profile_merge(p, RECENT_JOINED, &diag);
	drop_oldest(r, level, RECENT_JOINED);
	if (joined.p != NULL)
		r->part[level + 1][r->n[level + 1]++] = joined;
}

void recent_push(struct recent *r, struct profile *p)
{
	/* Drop the interval data: the number of an interval tells its time. */
	for (size_t i = 0; i < p->n_ops; i++)
		p->op[i].n_intervals = 0;
	make_room(r, 0);
	r->part[0][r->n[0]++] = (struct recent_part){ p, r->taken++, 1 };
}

void recent_release(struct recent *r)
{
	for (int level = 0; level < RECENT_LEVELS; level++)
		drop_oldest(r, level, r->n[level]);
}

struct profile *recent_sum(const struct recent *r, size_t at, bool before, size_t *ret_n)
{
	const struct profile *p[RECENT_LEVELS * RECENT_EACH];
	struct diag diag = { .emit = NULL };
	size_t n = 0;

	*ret_n = 0;
	for (int level = 0; level < RECENT_LEVELS; level++) {
		for (size_t i = 0; i < r->n[level]; i++) {
			const struct recent_part *part = &r->part[level][i];
			bool wanted = before ? part->first + part->n <= at : part->first >= at;

			if (!wanted)
				continue;
			p[n++] = part->p;
			*ret_n += part->n;
		}
	}
	return n > 0 ? profile_merge(p, n, &diag) : NULL;
}
