/* SPDX-License-Identifier: GPL-3.0-or-later */
/* splitmix64: the same numbers from the same seed everywhere. */
#ifndef ANALYZE_RANDOM_H
#define ANALYZE_RANDOM_H

#include <stdint.h>

/* The next 64 random bits of a state, which is a seed at first (splitmix64). */
static inline uint64_t random_bits(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

/* In [0, 1). */
static inline double random_share(uint64_t *state)
{
	return (double)(random_bits(state) >> 11) * 0x1p-53;
}

#endif
