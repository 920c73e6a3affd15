/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Radix sort: sorts many items by a number in linear time. */
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include <stddef.h>
#include <stdint.h>

/* An element to be sorted: its key, and the caller's number for it. */
struct sort_item {
	uint64_t key;
	size_t number;
};

/* Sorts by ascending keys; stable. */
void sort_by_key(struct sort_item *item, size_t n);

#endif
