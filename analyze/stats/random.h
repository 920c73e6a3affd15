/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The splitmix64 generator: the same seed gives the same numbers on every machine. */
#ifndef ANALYZE_STATS_RANDOM_H
#define ANALYZE_STATS_RANDOM_H

#include <stdint.h>

/* Returns the next 64 random bits; *state starts as the seed. */
static inline uint64_t random_bits(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

/* Returns a random number in [0, 1). */
static inline double random_share(uint64_t *state)
{
	return (double)(random_bits(state) >> 11) * 0x1p-53;
}

#endif
