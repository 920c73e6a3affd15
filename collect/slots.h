/* SPDX-License-Identifier: MIT */
/* A lock-free hash table from addresses to numbers. Any thread may look up and add, also in
 * signal handlers; entries are never removed. */
#ifndef COLLECT_SLOTS_H
#define COLLECT_SLOTS_H

#include <stddef.h>
#include <stdint.h>

enum { N_SLOTS = 1 << 14 };

/* An address, and its number. */
struct slot {
	const void *address; /* NULL: free */
	int number;	     /* initially 0; a thread that finds 0 computes it: all get the same */
};

/* Returns the slot of an address, adding one if needed; NULL: the table is full. */
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
