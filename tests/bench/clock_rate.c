/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How many cycles a second of its processor a program gets now: additions each of which waits
 * for the one before, and takes a cycle.  Where processors are shared with other machines, or
 * slowed down, these are fewer than what the processor is sold with, and change while one looks.
 */
#include <stdint.h>
#include <stdio.h>
#include <time.h>

enum { ADDITIONS = 500000000, PER_SECOND = 1000000000 };

int main(void)
{
	struct timespec from, to;
	uint64_t sum = 0;
	double seconds;

	(void)clock_gettime(CLOCK_MONOTONIC, &from);
	for (unsigned i = 0; i < ADDITIONS; i++) {
		sum++;
		__asm__ volatile("" : "+r"(sum)); /* so that it is added up indeed */
	}
	(void)clock_gettime(CLOCK_MONOTONIC, &to);
	seconds = (double)(to.tv_sec - from.tv_sec) +
		  (double)(to.tv_nsec - from.tv_nsec) / PER_SECOND;
	printf("%.0f\n", (double)sum / seconds);
	return 0;
}
