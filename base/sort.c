/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/sort.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

enum { DIGIT_BITS = 8, DIGITS = 64 / DIGIT_BITS, VALUES = 1 << DIGIT_BITS };

static size_t digit(uint64_t key, int place)
{
	return key >> (place * DIGIT_BITS) & (VALUES - 1);
}

static bool is_sorted(const struct sort_item *item, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		if (item[i - 1].key > item[i].key)
			return false;
	}
	return true;
}

/* By one digit; `count`: how often each value of it occurs. */
static void deal(const struct sort_item *from, struct sort_item *to, size_t n, int place,
		 const size_t *count)
{
	size_t next[VALUES] = { 0 };

	for (size_t v = 1; v < VALUES; v++)
		next[v] = next[v - 1] + count[v - 1];
	for (size_t i = 0; i < n; i++)
		to[next[digit(from[i].key, place)]++] = from[i];
}

/* From the lowest digit to the highest, without those that are the same in all keys. */
void sort_by_key(struct sort_item *item, size_t n)
{
	size_t(*count)[VALUES];
	struct sort_item *from = item, *to, *room;

	if (is_sorted(item, n))
		return;
	count = xcalloc(DIGITS, sizeof(*count));
	to = room = xreallocarray(NULL, n, sizeof(*room));
	for (size_t i = 0; i < n; i++) {
		for (int place = 0; place < DIGITS; place++)
			count[place][digit(item[i].key, place)]++;
	}
	for (int place = 0; place < DIGITS; place++) {
		struct sort_item *dealt = to;

		if (count[place][digit(item->key, place)] == n)
			continue;
		deal(from, to, n, place, count[place]);
		to = from;
		from = dealt;
	}
	if (from != item)
		memcpy(item, from, n * sizeof(*item));
	free(room);
	free(count);
}
