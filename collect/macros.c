/* SPDX-License-Identifier: MIT */
/* The profile that the macros of osprof.h record into. */
#include "collect/region.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static struct capture idle = { .next_snapshot = UINT64_MAX };
static struct osprof *the_default;
static pid_t default_maker;
static pthread_once_t default_once = PTHREAD_ONCE_INIT;

static void print_default(void)
{
	const char *path = getenv("OSPROF_OUTPUT");

	if (getpid() != default_maker)
		return;
	if (path == NULL ? osprof_print(the_default, stdout) : osprof_save(the_default, path))
		(void)fprintf(stderr, "osprof: %s: %s\n", path != NULL ? path : "standard output",
			      strerror(errno));
}

static void make_default(void)
{
	struct osprof *p = osprof_new(NULL);

	if (p == NULL) {
		(void)fprintf(stderr, "osprof: nothing is recorded: %s\n", strerror(errno));
		p = &idle.open;
	} else {
		default_maker = getpid();
		(void)atexit(print_default);
	}
	__atomic_store_n(&the_default, p, __ATOMIC_RELEASE);
}

struct osprof *osprof_default(void)
{
	struct osprof *p = __atomic_load_n(&the_default, __ATOMIC_ACQUIRE);

	if (!LIKELY(p != NULL)) {
		(void)pthread_once(&default_once, make_default);
		p = __atomic_load_n(&the_default, __ATOMIC_ACQUIRE);
	}
	return p;
}

int osprof_default_op(int *kept, const char *name)
{
	int op = __atomic_load_n(kept, __ATOMIC_RELAXED);

	if (!LIKELY(op >= 0)) {
		op = osprof_op(osprof_default(), "", name);
		__atomic_store_n(kept, op, __ATOMIC_RELAXED);
	}
	return op;
}
