/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What profiling a call costs, in cycles, with the parts of OSprof section 5.2 apart:
 * calling the two functions, reading the counter twice, sorting and storing. The paper
 * has 200 cycles for all of it, and 40 for the shortest latency that can be recorded.
 *
 *	bench_capture [ROUNDS]
 *
 * Medians over rounds, in which the parts take turns.
 */
#include <stdio.h>
#include <stdlib.h>

#include "tests/bench/capture_parts.h"

enum { CALLS = 2000000, MAX_ROUNDS = 101 };

typedef void part_fn(struct osprof *p, int op);

static uint64_t (*volatile start_empty)(const struct osprof *) = empty_start;

static void none(struct osprof *p, int op)
{
	(void)p;
	(void)op;
	for (int i = 0; i < CALLS; i++)
		__asm__ volatile("" ::: "memory");
}

static void calls(struct osprof *p, int op)
{
	for (int i = 0; i < CALLS; i++)
		(void)empty_stop(p, op, start_empty(p));
}

static void readings(struct osprof *p, int op)
{
	for (int i = 0; i < CALLS; i++)
		(void)reading_stop(p, op, reading_start(p));
}

/* As calls are profiled: the start is inline, the stop is a call. */
static void profiled(struct osprof *p, int op)
{
	for (int i = 0; i < CALLS; i++)
		(void)osprof_stop(p, op, osprof_start(p));
}

static const struct part {
	const char *name;
	part_fn *run;
} parts[] = {
	{ "none", none },
	{ "calls", calls },
	{ "calls and readings", readings },
	{ "all of it", profiled },
};
enum { N_PARTS = sizeof(parts) / sizeof(parts[0]) };

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *v, int n)
{
	qsort(v, (size_t)n, sizeof(*v), ascending);
	return v[n / 2];
}

/* The lowest bucket that profiling nothing at all ever filled. */
static int lowest_bucket(struct osprof *p)
{
	char line[256];
	int bucket = -1;
	FILE *f = tmpfile();

	if (f == NULL || osprof_print(p, f) != 0)
		return -1;
	rewind(f);
	while (bucket < 0 && fgets(line, sizeof(line), f) != NULL) {
		if (line[0] >= '0' && line[0] <= '9')
			bucket = atoi(line);
	}
	(void)fclose(f);
	return bucket;
}

int main(int argc, char **argv)
{
	static double cycles[N_PARTS][MAX_ROUNDS];
	int rounds = argc > 1 ? atoi(argv[1]) : 21, op;
	struct osprof *p = osprof_new(NULL);
	double middle[N_PARTS];

	if (p == NULL || rounds < 1 || rounds > MAX_ROUNDS) {
		(void)fprintf(stderr, "usage: bench_capture [ROUNDS]\n");
		return 2;
	}
	op = osprof_op(p, "", "nothing");
	for (int r = 0; r < rounds; r++) {
		for (int i = 0; i < N_PARTS; i++) {
			uint64_t start = osprof_counter();

			parts[i].run(p, op);
			cycles[i][r] = (double)(osprof_counter() - start) / CALLS;
		}
	}
	for (int i = 0; i < N_PARTS; i++)
		middle[i] = median(cycles[i], rounds);
	(void)printf("cycles a profiled call, medians of %d rounds of %d calls\n"
		     "  calling                %6.1f\n"
		     "  reading the counter    %6.1f\n"
		     "  sorting and storing    %6.1f\n"
		     "  all of it              %6.1f    OSprof: 200\n"
		     "  shortest latency       %6llu    OSprof: 40\n"
		     "  lowest bucket ever     %6d    OSprof: 5\n",
		     rounds, CALLS, middle[1] - middle[0], middle[2] - middle[1],
		     middle[3] - middle[2], middle[3] - middle[0],
		     (unsigned long long)osprof_overhead(p), lowest_bucket(p));
	osprof_free(p);
	return 0;
}
