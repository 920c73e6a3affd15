/* SPDX-License-Identifier: MIT */
/* Addresses of a process and a number for each: any thread looks up and adds, in signal
 * handlers, too, and nothing is ever taken away. */
#ifndef COLLECT_SLOTS_H
#define COLLECT_SLOTS_H

#include <stddef.h>
#include <stdint.h>

enum { N_SLOTS = 1 << 14 };

/* One address that was met in a process, and the number it was given. */
struct slot {
	const void *address; /* NULL: free */
	int number;	     /* 0 at first; whoever finds it so decides, and all come to the same */
};

/* NULL: they are all taken. */
static inline struct slot *slot_of(struct slot slots[N_SLOTS], const void *address)
{
	size_t i = ((uintptr_t)address >> 4) * 0x9e3779b97f4a7c15u >> 50;

	for (int tries = 0; tries < N_SLOTS; tries++, i = (i + 1) % N_SLOTS) {
		const void *there = __atomic_load_n(&slots[i].address, __ATOMIC_ACQUIRE);

		if (there == NULL) {
			(void)__atomic_compare_exchange_n(&slots[i].address, &there, address, 0,
							  __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
			there = __atomic_load_n(&slots[i].address, __ATOMIC_ACQUIRE);
		}
		if (there == address)
			return &slots[i];
	}
	return NULL;
}

#endif
