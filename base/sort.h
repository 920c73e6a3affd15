/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorting by a number, in time that is linear: what qsort() does for few. */
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include <stddef.h>
#include <stdint.h>

/* One element to be sorted: its key, and which of the caller's things it stands for. */
struct sort_item {
	uint64_t key;
	size_t number; /* of what has this key; the caller's */
};

/* By ascending keys; items of equal keys stay in their order. */
void sort_by_key(struct sort_item *item, size_t n);

#endif
