/* SPDX-License-Identifier: MIT */
/* Inside the capture library: what a thread knows of its counters, and adding a call to them
 * with no more than that. */
#ifndef COLLECT_SEAT_H
#define COLLECT_SEAT_H

#include "collect/region.h"

enum {
	FEW_STEPS = 8,	/* in an octave, which are compared one by one */
	NEAR_STEPS = 4, /* which are in a seat's first line */
};

/* What a thread knows of the set of counters that it owns: all that it takes to count a call, in
 * one line of the cache where an octave has at most NEAR_STEPS. The child of any kind of fork finds
 * zeros there. */
struct seat {
	uint64_t due;	 /* for the recorder: a call that begins then, or later, goes the long way;
			  * 0: each does */
	struct set *set; /* NULL: none */
	const void *owner; /* the thread's osprof_seats; NULL: nobody's, or of several threads */
	uint32_t cell_size;
	uint32_t n_ops; /* those below are counted as the rest says; 0: none are */
	uint32_t subtracted;
	uint32_t resolution;
	uint64_t step[FEW_STEPS - 1]; /* where parts of an octave after its first begin; those that
				       * there are not, at UINT64_MAX */
	uint64_t next_look;	      /* of the recorder */
} __attribute__((aligned(LINE)));
/* Of each profile of the process the calling thread's, or one of nobody. */
extern INSIDE __thread struct seat *osprof_seats[OSPROF_MAX_PROFILES];

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

/* The steps of an octave wait for none of each other. */
static inline size_t slot_by_seat(const struct seat *seat, uint64_t latency)
{
	unsigned octave, part = 0;
	uint64_t v;

	if (latency == 0)
		return 0;
	octave = octave_of(latency);
	v = latency << (OCTAVES - 1 - octave);
	for (unsigned k = 0; k < NEAR_STEPS - 1; k++)
		part += seat->step[k] <= v;
	if (!LIKELY(seat->resolution <= NEAR_STEPS)) {
		for (unsigned k = NEAR_STEPS - 1; k < FEW_STEPS - 1; k++)
			part += seat->step[k] <= v;
	}
	return (size_t)octave * seat->resolution + part + 1;
}

static inline void count(const struct seat *seat, int op, uint64_t latency)
{
	add_own(cell_in(seat->set, seat->cell_size, (unsigned)op), slot_by_seat(seat, latency),
		latency);
}

/* Counters of two processors may be a little apart. */
static inline uint64_t latency_of(uint64_t start, uint64_t now, uint64_t subtracted)
{
	uint64_t latency = now - start <= INT64_MAX ? now - start : 0;

	return latency > subtracted ? latency - subtracted : 0;
}

#endif
