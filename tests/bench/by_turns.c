/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/bench/by_turns.h"

#include <dlfcn.h>
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { OF_LIBC, AS_LINKED };
static struct calls calls[] = { [AS_LINKED] = { open, read, write, fdatasync, close, unlink } };
const struct calls *call = &calls[AS_LINKED];

static void find(void *libc, const char *name, void *to)
{
	*(void **)to = dlsym(libc, name);
	if (*(void **)to == NULL)
		errx(1, "%s", dlerror());
}

static void find_calls_of_libc(void)
{
	struct calls *c = &calls[OF_LIBC];
	void *libc = dlopen("libc.so.6", RTLD_NOW | RTLD_NOLOAD);

	if (libc == NULL)
		errx(1, "%s", dlerror());
	find(libc, "open", &c->open);
	find(libc, "read", &c->read);
	find(libc, "write", &c->write);
	find(libc, "fdatasync", &c->fdatasync);
	find(libc, "close", &c->close);
	find(libc, "unlink", &c->unlink);
}

static double seconds_by(clockid_t clock)
{
	struct timespec t;

	(void)clock_gettime(clock, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void take_turns(unsigned n_blocks, void (*block)(void *), void *context)
{
	find_calls_of_libc();
	for (unsigned b = 0; b < n_blocks; b++) {
		int way = (b & 1) ^ (b >> 1 & 1); /* each is first in every other pair */
		double start = seconds_by(CLOCK_MONOTONIC);
		double used = seconds_by(CLOCK_PROCESS_CPUTIME_ID);

		call = &calls[way];
		block(context);
		used = seconds_by(CLOCK_PROCESS_CPUTIME_ID) - used;
		(void)printf("%d %.9f %.9f\n", way, seconds_by(CLOCK_MONOTONIC) - start, used);
	}
	call = &calls[AS_LINKED];
}
