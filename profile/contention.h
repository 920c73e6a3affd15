/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What programs had to share with others while they were measured: the processors. */
#ifndef PROFILE_CONTENTION_H
#define PROFILE_CONTENTION_H

#include <stdbool.h>
#include <stdint.h>

/* Sums over hosts and intervals, of those where it is known; all 0: of none.  In ns. */
struct contention {
	uint64_t others;   /* processor time that other programs used */
	uint64_t capacity; /* processor time that there was */
	uint64_t waited;   /* time that the threads waited for a processor */
	uint64_t waits;	   /* how many times they did, or got one at once */
};

/* Adds; sums stay at 2^64 - 1. */
void contention_add(struct contention *to, const struct contention *more);
/* Whether there is something to write. */
bool contention_is_known(const struct contention *c);
/* The part of the processors that others used, 0 to 1, and the mean wait for one, in ns; of what is
 * known. */
double contention_others(const struct contention *c);
double contention_wait(const struct contention *c);

#endif
