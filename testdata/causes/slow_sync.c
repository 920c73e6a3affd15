/* SPDX-License-Identifier: GPL-3.0-or-later */
/* To be preloaded: every 40th fdatasync() takes 4 ms longer. What that was is told at the end. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static unsigned n, slow;
static long long slept;

static long long now(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

__attribute__((destructor)) static void tell(void)
{
	if (n > 0)
		(void)dprintf(2, "fdatasync: %u, slow: %u, slept ns: %lld\n", n, slow, slept);
}

int fdatasync(int fd)
{
	static int (*real)(int);
	long long start;

	if (real == NULL)
		*(void **)&real = dlsym(RTLD_NEXT, "fdatasync");
	if (++n % 40 == 0) {
		start = now();
		(void)usleep(4000);
		slept += now() - start;
		slow++;
	}
	return real(fd);
}
