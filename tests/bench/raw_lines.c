/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Individual samples by the million, to standard output: `operation,latency_ns`, or with
 * "quoted" `"operation","latency_ns"`.  Names have 7 bytes, or with "short" as many as their
 * number has digits.
 *
 *	raw_lines LINES OPERATIONS [quoted | short] >FILE
 *
 * The operations come equally often and in no order, which is the hardest for caches.
 * Latencies are log-normal, with a median of their own for each operation.
 */
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/scan.h"

enum { N_NORMAL = 1 << 16 };

/* splitmix64: every state gives a number. */
static uint64_t next_number(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static double next_unit(uint64_t *state)
{
	return ((double)(next_number(state) >> 11) + 0.5) / (double)(UINT64_C(1) << 53);
}

/* Factors exp(N(0, 1)), by Box and Muller's transform. */
static double *make_factors(uint64_t *state)
{
	double *factor = malloc(N_NORMAL * sizeof(*factor));

	for (size_t i = 0; factor != NULL && i < N_NORMAL; i++) {
		double radius = sqrt(-2 * log(next_unit(state)));

		factor[i] = exp(radius * cos(2 * acos(-1) * next_unit(state)));
	}
	return factor;
}

int main(int argc, char **argv)
{
	const char *quote = argc > 3 && strcmp(argv[3], "quoted") == 0 ? "\"" : "";
	bool is_short = argc > 3 && strcmp(argv[3], "short") == 0;
	uint64_t state = 1, lines, ops;
	double *factor = make_factors(&state);

	if (argc < 3 || number_u64(str_from(argv[1]), &lines) != NUMBER_OK ||
	    number_u64(str_from(argv[2]), &ops) != NUMBER_OK || ops == 0 || factor == NULL) {
		(void)fprintf(stderr, "usage: raw_lines LINES OPERATIONS [quoted | short]\n");
		return 2;
	}
	(void)printf("operation,latency_ns\n");
	for (; lines > 0; lines--) {
		uint64_t number = next_number(&state), op = (number >> 32) % ops;
		double median = 20000 + 500 * (double)(op % 64);
		uint64_t latency = (uint64_t)(median * factor[number % N_NORMAL]);

		(void)printf("%s%s%0*" PRIu64 "%s,%s%" PRIu64 "%s\n", quote, is_short ? "" : "op",
			     is_short ? 1 : 5, op, quote, quote, latency, quote);
	}
	free(factor);
	return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
