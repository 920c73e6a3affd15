/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/tables/number_map.h"

#include <stdlib.h>

#include "base/xalloc.h"

enum { FEWEST = 64 };

void number_map_release(struct number_map *m)
{
	free(m->slot);
	*m = (struct number_map){ .n = 0 };
}

static struct number_map_slot *slot_of(const struct number_map *m, uint64_t key)
{
	size_t i = number_map_mix(key) & m->mask;

	while (m->slot[i].key != 0 && m->slot[i].key != key + 1)
		i = (i + 1) & m->mask;
	return &m->slot[i];
}

static void grow_slots(struct number_map *m)
{
	struct number_map old = *m;
	size_t room = old.slot == NULL ? FEWEST : 2 * (old.mask + 1);

	m->slot = xcalloc(room, sizeof(*m->slot));
	m->mask = room - 1;
	for (size_t i = 0; old.slot != NULL && i <= old.mask; i++) {
		if (old.slot[i].key != 0)
			*slot_of(m, old.slot[i].key - 1) = old.slot[i];
	}
	free(old.slot);
}

uint64_t *number_map_at(struct number_map *m, uint64_t key, bool *ret_new)
{
	struct number_map_slot *s;

	if (m->slot == NULL || m->n * 4 >= (m->mask + 1) * 3)
		grow_slots(m);
	s = slot_of(m, key);
	*ret_new = s->key == 0;
	if (*ret_new) {
		*s = (struct number_map_slot){ key + 1, 0 };
		m->n++;
	}
	return &s->number;
}
