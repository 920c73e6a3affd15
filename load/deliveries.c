/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "load/deliveries.h"

#include <stdlib.h>

#include "base/digest.h"
#include "base/tables/hash.h"
#include "base/xalloc.h"
#include "load/file_list.h"
#include "profile/profile.h"

struct delivered {
	uint64_t key, digest;
	size_t number;
	char *path;
	UT_hash_handle hh;
};

/* Returns a hash of the side, hosts and time span. */
static uint64_t key_of(const struct profile *p, int side)
{
	uint64_t key = digest_more(DIGEST_START, &side, sizeof(side));
	double span[2] = { 0, 0 };

	for (size_t i = 0; i < p->n_hosts; i++)
		key = digest_more(key, p->host[i].p, p->host[i].n + 1); /* with its NUL */
	for (size_t i = 0; i < p->n_ops; i++) {
		for (size_t k = 0; k < p->op[i].n_intervals; k++) {
			const struct interval *v = &p->op[i].interval[k];

			span[0] = span[1] == 0 || v->start < span[0] ? v->start : span[0];
			span[1] = v->end > span[1] ? v->end : span[1];
		}
	}
	return digest_more(key, span, sizeof(span));
}

static struct delivery_seen compared_with(const struct delivered *earlier, uint64_t digest,
					  const struct delivery *now)
{
	bool in_order = earlier->number < now->number;

	return (struct delivery_seen){
		.what = earlier->digest == digest ? DELIVERED_AGAIN : DELIVERED_OTHERWISE,
		.first = in_order ? earlier->path : now->path,
		.second = in_order ? now->path : earlier->path,
	};
}

struct delivery_seen deliveries_add(struct deliveries *d, const struct profile *p, uint64_t digest,
				    const struct delivery *now)
{
	uint64_t key = key_of(p, now->side);
	struct delivered *it;

	HASH_FIND(hh, d->first, &key, sizeof(key), it);
	if (it != NULL)
		return compared_with(it, digest, now);
	it = xcalloc(1, sizeof(*it));
	*it = (struct delivered){ .key = key,
				  .digest = digest,
				  .number = now->number,
				  .path = path_join(NULL, now->path) };
	HASH_ADD(hh, d->first, key, sizeof(it->key), it);
	return (struct delivery_seen){ .what = DELIVERED_FIRST };
}

void deliveries_release(struct deliveries *d)
{
	struct delivered *it, *next;

	HASH_ITER(hh, d->first, it, next)
	{
		HASH_DEL(d->first, it);
		free(it->path);
		free(it);
	}
}
