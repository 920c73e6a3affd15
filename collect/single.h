/* SPDX-License-Identifier: MIT */
/* Runs in the recorded program: measures a single call, for the ring buffer of records. */
#ifndef COLLECT_SINGLE_H
#define COLLECT_SINGLE_H

#include <stdint.h>

#include "collect/osprof.h"
#include "collect/ring.h"

/* The resources that a thread has used so far; a call's usage is the difference of two. */
struct usage {
	uint64_t cpu; /* nanoseconds */
	uint64_t minor_faults, major_faults, voluntary, involuntary;
};

/* The start of a call. */
struct call_start {
	struct thread_entry *entry; /* not NULL: the call is only counted, on the fast path */
	uint64_t start;		    /* in the unit of the profile */
	/* Set only if `entry` is NULL: */
	struct osprof *profile; /* NULL: the call is not recorded */
	struct ring *ring;	/* NULL: no per-call record is made */
	int on;			/* its descriptor or resource, as in calls.def */
	int64_t size;		/* bytes that the call asks for, or NO_SIZE */
	struct usage before;
};

extern struct ring *single_calls; /* NULL: no per-call records are made */

/* Attaches to the ring in this file, before the program's own code runs. */
void single_attach(const char *path);
/* Stops per-call records: a system call filter may now kill a thread that reads its usage. */
void single_confine(void);
/* Called when this process is about to execute another program (1), or failed to (0). Ignored in
 * a child of vfork. */
void single_before_exec(int yes);
/* Called when addresses may belong to other object files from now on. */
void single_forget_sites(void);

/* Updates recording.single_until; another process may ask for per-call records at any time
 * (osprof watch --zoom). */
void single_look(void);
/* Called while recording.single_until is not NULL. Reads the CPU time last; single_end() reads it
 * first. */
void single_begin(struct call_start *m, int op);
/* Ends a call, and counts it in the profile, too. `result`: what the call returned (for -1, errno
 * is recorded); `site`: its return address. Preserves errno. */
void single_end(int op, const struct call_start *m, int64_t result, const void *site);

/* The result of a call as an int64_t; for a pointer, 1 or 0 for NULL, and -1 for MAP_FAILED. */
static inline int64_t single_signed(int64_t v)
{
	return v;
}

static inline int64_t single_size(uint64_t v)
{
	return (int64_t)v;
}

static inline int64_t single_pointer(const volatile void *p)
{
	return (intptr_t)p == -1 ? -1 : p != NULL;
}

#define SINGLE_RESULT(v)                                                                           \
	_Generic((v), int                                                                          \
		 : single_signed, long                                                             \
		 : single_signed, unsigned                                                         \
		 : single_size, unsigned long                                                      \
		 : single_size, default                                                            \
		 : single_pointer)(v)

#endif
