/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * To be compiled with -finstrument-functions: an exception leaves calls, a destructor is
 * called on its way, and only what is called after it is slow.  Prints how many nanoseconds
 * that took, as the program sees it itself.
 */
#include <cstdio>
#include <ctime>
#include <stdexcept>
#include <unistd.h>

#define QUIET __attribute__((no_instrument_function))
#define APART __attribute__((noinline))

enum { CALLS = 40, NAP = 2000, DEPTH = 4 };

static long long slept_ns;
static volatile int turns;

QUIET static long long now()
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

extern "C" {
APART void quick()
{
	turns = turns + 1;
}

APART void deep(int n)
{
	if (n == 0)
		throw std::runtime_error("left");
	deep(n - 1);
	turns = turns + 1;
}

APART void recover()
{
	long long start = now();

	(void)usleep(NAP);
	slept_ns += now() - start;
}
}

struct guard {
	QUIET ~guard()
	{
		quick();
	}
};

extern "C" {
APART void parse()
{
	guard g;

	deep(DEPTH);
	turns = turns + 1;
}

APART void serve(int n)
{
	if (n % 2 == 0) {
		try {
			parse();
		} catch (const std::runtime_error &) {
			recover();
		}
	}
	quick();
}
}

int main()
{
	for (int i = 0; i < CALLS; i++)
		serve(i);
	(void)std::printf("%lld\n", slept_ns);
	return 0;
}
