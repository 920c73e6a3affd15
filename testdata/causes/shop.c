/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program whose slow calls have a known cause: one order in 12, those of customer 7, is not
 * found in the cache and waits for its file (2 ms, handle > find_order > load_file > usleep).  With
 * an argument, the second version: each order is checked twice (check_order, 40 us).
 *
 *	gcc -O1 -pg -fno-optimize-sibling-calls shop.c -o shop
 *	chrt -f 10 uftrace record -d shop.data -A handle@arg1 ./shop
 */
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define FUNCTION __attribute__((noinline))

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static FUNCTION void spin(double us)
{
	double end = now() + us;

	while (now() < end)
		;
}

FUNCTION void load_file(void)
{
	usleep(2000);
}

FUNCTION void find_order(int customer)
{
	spin(10);
	if (customer == 7)
		load_file();
}

FUNCTION void check_order(void)
{
	spin(40);
}

FUNCTION void handle(int customer, int version)
{
	find_order(customer);
	for (int i = 0; i < version; i++)
		check_order();
	spin(5);
}

int main(int argc, char **argv)
{
	(void)argv;
	for (int i = 0; i < 240; i++)
		handle(i % 12, argc);
	return 0;
}
