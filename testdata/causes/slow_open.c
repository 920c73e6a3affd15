/* SPDX-License-Identifier: GPL-3.0-or-later */
/* To be preloaded: opening a file whose name has "cold" in it takes 3 ms longer. What that was is
 * told at the end. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static unsigned slow;
static long long slept;

static long long now(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

__attribute__((destructor)) static void tell(void)
{
	if (slow > 0)
		(void)dprintf(2, "slow: %u, slept ns: %lld\n", slow, slept);
}

int open64(const char *path, int flags, ...)
{
	static int (*real)(const char *, int, ...);
	va_list args;
	int mode;

	va_start(args, flags);
	mode = va_arg(args, int);
	va_end(args);
	if (real == NULL)
		*(void **)&real = dlsym(RTLD_NEXT, "open64");
	if (strstr(path, "cold") != NULL) {
		long long start = now();

		(void)usleep(3000);
		slept += now() - start;
		slow++;
	}
	return real(path, flags, mode);
}
