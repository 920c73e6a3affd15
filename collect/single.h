/* SPDX-License-Identifier: MIT */
/* Within a recorded program: what a single call took, for the ring of records. */
#ifndef COLLECT_SINGLE_H
#define COLLECT_SINGLE_H

#include <stdint.h>

#include "collect/osprof.h"
#include "collect/ring.h"

/* What a thread has used of the machine up to now; a call's share is the difference of two. */
struct usage {
	uint64_t cpu; /* nanoseconds */
	uint64_t minor_faults, major_faults, voluntary, involuntary;
};

/* Where a call begins. */
struct moment {
	struct seat *seat; /* where it is counted, and that is all; NULL: */
	uint64_t start;	   /* of the profile's clock */
	/* Not set where there is a seat: */
	struct osprof *profile; /* NULL: it is not recorded */
	struct ring *ring;	/* NULL: it is not recorded singly */
	int on;			/* what it is about, as in calls.def */
	int64_t size;		/* bytes that the call asks for; NO_SIZE: it is about none */
	struct usage before;
};

extern struct ring *single_calls; /* NULL: none are recorded singly */

/* Attaches to the ring in this file, for a program that is about to begin. */
void single_attach(const char *path);
/* From now on the kernel may kill a thread that asks what it has used. */
void single_confine(void);
/* This process becomes another program, or failed to; a child of vfork is no matter. */
void single_hand_on(int yes);
/* Addresses may from now on belong to other object files. */
void single_forget_sites(void);

/* Whether calls are to leave records now: brings recording.single_until up to date. Somebody else
 * may ask for it at any time (osprof watch --zoom). */
void single_look(void);
/* Where recording.single_until is not NULL.  The time is read last here, and first at the end. */
void single_begin(struct moment *m, int op);
/* Counts the call in the profile, too. `result` is what it returned (of -1 errno is kept), `site`
 * the address that it returns to. Leaves errno alone. */
void single_end(int op, const struct moment *m, int64_t result, const void *site);

/* What a call returned; of a pointer whether it is one. */
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
