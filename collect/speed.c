/* SPDX-License-Identifier: MIT */
/* Runs in the recorded program: times a loop of known length to find the processor's speed. */
#include "collect/calls.h"
#include "collect/osprof.h"
#include "collect/preload.h"

/* A thread measures again before the first call after `period` (cycles or ns), which costs less
 * than 0.03 % of its time; its first measurements come more often, for short programs: 0.4 %. */
static const uint64_t period = 1 << 22, first_period = 1 << 18;
static const unsigned n_first = 64;
/* A longer measurement was interrupted, and is discarded. */
static const uint64_t longest = 16 * SPEED_STEPS;

uint64_t measure_speed(struct osprof *p)
{
	static __thread unsigned n_measured;
	uint64_t start = osprof_start(p), now;
	uint64_t *words = osprof_words(p);

	for (unsigned i = 0; i < SPEED_STEPS; i++)
		__asm__ volatile("" : "+r"(i));
	now = osprof_start(p);
	if (now - start < longest) {
		(void)__atomic_fetch_add(&words[WORD_SPEED_TIME], now - start, __ATOMIC_RELAXED);
		(void)__atomic_fetch_add(&words[WORD_SPEED_N], 1, __ATOMIC_RELAXED);
	}
	if (n_measured < n_first)
		n_measured++;
	return now + (n_measured < n_first ? first_period : period);
}
