/* SPDX-License-Identifier: MIT */
/* Within a recorded program: how fast the processor is, by a loop of known length. */
#include "collect/calls.h"
#include "collect/osprof.h"
#include "collect/preload.h"

/* A thread measures it before a call when so long (cycles or ns) has passed, which costs less than
 * 0.03 % of its time; its first ones more often, as short programs need them: 0.4 %. */
static const uint64_t period = 1 << 22, first_period = 1 << 18;
static const unsigned n_first = 64;
/* One that takes longer was interrupted. */
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
