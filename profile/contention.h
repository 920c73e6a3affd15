/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Contention for processors while programs were measured. */
#ifndef PROFILE_CONTENTION_H
#define PROFILE_CONTENTION_H

#include <stdbool.h>
#include <stdint.h>

/* Sums in ns over the hosts and intervals where contention is known; all 0 if it is nowhere. */
struct contention {
	uint64_t others;   /* processor time that other programs used */
	uint64_t capacity; /* processor time that was available */
	uint64_t waited;   /* time that the measured threads waited for a processor */
	uint64_t waits;	   /* how often they waited for a processor, or got one at once */
};

/* Adds `more`; sums saturate at 2^64 - 1. */
void contention_add(struct contention *to, const struct contention *more);
/* Whether contention is known at all. */
bool contention_is_known(const struct contention *c);
/* Return the share of processor time that other programs used, 0 to 1, and the mean wait for a
 * processor in ns; contention must be known. */
double contention_others(const struct contention *c);
double contention_wait(const struct contention *c);

#endif
