/* SPDX-License-Identifier: MIT */
/* Addresses of a process and a number for each: any thread looks up and adds, in signal
 * handlers, too, and nothing is ever taken away. */
#ifndef COLLECT_PLACES_H
#define COLLECT_PLACES_H

#include <stddef.h>
#include <stdint.h>

enum { PLACES = 1 << 14 };

struct place {
	const void *address; /* NULL: free */
	int number;	     /* 0 at first; whoever finds it so decides, and all come to the same */
};

/* NULL: they are all taken. */
static inline struct place *place_of(struct place places[PLACES], const void *address)
{
	size_t i = ((uintptr_t)address >> 4) * 0x9e3779b97f4a7c15u >> 50;

	for (int tries = 0; tries < PLACES; tries++, i = (i + 1) % PLACES) {
		const void *there = __atomic_load_n(&places[i].address, __ATOMIC_ACQUIRE);

		if (there == NULL) {
			(void)__atomic_compare_exchange_n(&places[i].address, &there, address, 0,
							  __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
			there = __atomic_load_n(&places[i].address, __ATOMIC_ACQUIRE);
		}
		if (there == address)
			return &places[i];
	}
	return NULL;
}

#endif
