/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/sort.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

enum { DIGIT_BITS = 8, DIGITS = 64 / DIGIT_BITS, VALUES = 1 << DIGIT_BITS };

static size_t digit_at(uint64_t key, int digit_of)
{
	return key >> (digit_of * DIGIT_BITS) & (VALUES - 1);
}

static bool is_sorted(const struct sort_item *item, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		if (item[i - 1].key > item[i].key)
			return false;
	}
	return true;
}

/* Distributes by one digit; `count`: how often each value of it occurs. */
static void deal_by_digit(const struct sort_item *from, struct sort_item *to, size_t n,
			  int digit_of, const size_t *count)
{
	size_t next[VALUES] = { 0 };

	for (size_t v = 1; v < VALUES; v++)
		next[v] = next[v - 1] + count[v - 1];
	for (size_t i = 0; i < n; i++)
		to[next[digit_at(from[i].key, digit_of)]++] = from[i];
}

/* From the lowest digit to the highest; skips digits that all keys share. */
void sort_by_key(struct sort_item *item, size_t n)
{
	size_t(*count)[VALUES];
	struct sort_item *from = item, *to, *room;

	if (is_sorted(item, n))
		return;
	count = xcalloc(DIGITS, sizeof(*count));
	to = room = xreallocarray(NULL, n, sizeof(*room));
	for (size_t i = 0; i < n; i++) {
		for (int digit_of = 0; digit_of < DIGITS; digit_of++)
			count[digit_of][digit_at(item[i].key, digit_of)]++;
	}
	for (int digit_of = 0; digit_of < DIGITS; digit_of++) {
		struct sort_item *dealt = to;

		if (count[digit_of][digit_at(item->key, digit_of)] == n)
			continue;
		deal_by_digit(from, to, n, digit_of, count[digit_of]);
		to = from;
		from = dealt;
	}
	if (from != item)
		memcpy(item, from, n * sizeof(*item));
	free(room);
	free(count);
}
