/* SPDX-License-Identifier: MIT */
/* Internal to the capture library: a thread's cached access to its counters, and the fast path
 * that counts a call with it alone. */
#ifndef COLLECT_THREAD_ENTRY_H
#define COLLECT_THREAD_ENTRY_H

#include "collect/region.h"

enum {
	FEW_STEPS = 8,	/* up to this resolution, the edges of an octave are compared one by one */
	NEAR_STEPS = 4, /* up to this resolution, they fit into an entry's first cache line */
};

/* A thread's access to the set of counters that it owns: everything needed to count a call, in
 * one cache line for resolutions up to NEAR_STEPS. The child of any kind of fork finds zeros. */
struct thread_entry {
	uint64_t due;	   /* for the recorder: a call that begins at this time or later takes the
			    * slow path; 0: every call does */
	struct set *set;   /* NULL: none */
	const void *owner; /* the thread's osprof_entries; NULL: unowned, or shared by threads */
	uint32_t cell_size;
	uint32_t n_ops; /* operations below this number take the fast path; 0: none do */
	uint32_t subtracted;
	uint32_t resolution;
	uint64_t step[FEW_STEPS - 1]; /* lower edges of an octave's buckets but the first; unused
				       * ones are UINT64_MAX */
	uint64_t next_look;	      /* for the recorder */
} __attribute__((aligned(LINE)));
/* The calling thread's entry for each profile of the process; a thread without one has a dummy that
 * counts nothing. */
extern INSIDE __thread struct thread_entry *osprof_entries[OSPROF_MAX_PROFILES];

/* One instruction, so that a signal handler of the same thread cannot come between. */
static inline void add_to_own(uint64_t *to, uint64_t v)
{
#ifdef __x86_64__
	__asm__ volatile("addq %1, %0" : "+m"(*to) : "er"(v) : "cc");
#else
	(void)__atomic_fetch_add(to, v, __ATOMIC_ACQ_REL);
#endif
}

static inline void add_own(struct cell *c, size_t slot, uint64_t latency)
{
	add_to_own(&c->begun, 1);
	add_to_own(&c->total, latency);
	add_to_own(&c->slot[slot], 1);
	add_to_own(&c->ended, 1);
}

static inline unsigned octave_of(uint64_t latency)
{
	return OCTAVES - 1 - (unsigned)__builtin_clzll(latency);
}

/* The comparisons do not depend on each other, so that the processor runs them in parallel. */
static inline size_t slot_by_entry(const struct thread_entry *entry, uint64_t latency)
{
	unsigned octave, part = 0;
	uint64_t v;

	if (latency == 0)
		return 0;
	octave = octave_of(latency);
	v = latency << (OCTAVES - 1 - octave);
	for (unsigned k = 0; k < NEAR_STEPS - 1; k++)
		part += entry->step[k] <= v;
	if (!LIKELY(entry->resolution <= NEAR_STEPS)) {
		for (unsigned k = NEAR_STEPS - 1; k < FEW_STEPS - 1; k++)
			part += entry->step[k] <= v;
	}
	return (size_t)octave * entry->resolution + part + 1;
}

static inline void count(const struct thread_entry *entry, int op, uint64_t latency)
{
	add_own(cell_in(entry->set, entry->cell_size, (unsigned)op), slot_by_entry(entry, latency),
		latency);
}

/* The cycle counters of two processors may differ a little: a negative latency counts as 0. */
static inline uint64_t latency_of(uint64_t start, uint64_t now, uint64_t subtracted)
{
	uint64_t latency = now - start <= INT64_MAX ? now - start : 0;

	return latency > subtracted ? latency - subtracted : 0;
}

#endif
