/* SPDX-License-Identifier: MIT */
/*
 * Internal to the capture library: the shared region, and how a process maps it.
 *
 * All counters lie in one piece of shared memory, the region: a header, the names of
 * operations, and sets of counters. A set belongs to one thread at a time, so that counting
 * needs neither locks nor atomic instructions (OSprof section 3.4); when its thread ends,
 * another thread takes the set over and adds to it. Threads that find no free set share
 * the last one, with atomic additions.
 *
 * The region holds no pointers, no locks, and no sizes that readers trust: a process may die
 * at any moment without losing what it counted or blocking others.
 */
#ifndef COLLECT_REGION_H
#define COLLECT_REGION_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stddef.h>
#include <string.h>

#include "collect/osprof.h"

#define INSIDE	  __attribute__((visibility("hidden")))
#define LIKELY(x) __builtin_expect(!!(x), 1)

enum {
	VERSION = 2,
	LABEL = 56,
	OCTAVES = 64,
	NAME_FREE = 0,
	NAME_BUSY = 1,
	NAME_READY = 2,
	LINE = 64, /* bytes of a cache line */
	PAIRS = 1 << 13,
	MESSAGES = 64,
};

/* A message to the processes that share the region. Message k lies in slot k modulo MESSAGES. */
struct message {
	uint64_t sent_at; /* in nanoseconds of CLOCK_MONOTONIC */
	uint64_t size;
	uint64_t bytes[OSPROF_MAX_MESSAGE / 8];
};

/* The name of an operation in the region: layer and text, NUL-terminated. */
struct name {
	uint32_t state;
	uint32_t plain; /* its values are not latencies */
	uint64_t unused;
	char layer[24];
	char text[220];
};

/* The counters of an operation. `begun` and `ended` are equal unless a call is being added right
 * now, or a thread was killed while it added one. */
struct cell {
	uint64_t begun, total, ended;
	/* Of n_self calls: the time outside of the calls that they made, and the total latency
	 * without calls nested in calls of the same operation. */
	uint64_t n_self, self, inclusive;
	uint64_t slot[]; /* 0: latency 0; k: bucket k - 1 */
};

/* Calls of one operation directly within those of another. `reached` counts the outer calls that
 * made at least one of them. */
struct pair {
	uint64_t key; /* 0: free */
	uint64_t reached, calls, total;
};

/* A set of counters in the region. One thread at a time owns it and adds without atomics. */
struct set {
	uint32_t owned;
	uint32_t used; /* has been owned at least once */
	char label[LABEL];
};

/* The part up to the seal is constant once the magic is written; the seal is its checksum
 * (seal.c). */
struct region {
	char magic[8];
	uint32_t version, has_counter;
	uint32_t resolution, max_ops, n_sets, by;
	uint64_t size; /* of the whole region, in bytes */
	uint64_t hz;   /* of the cycle counter; 0: latencies are in nanoseconds */
	uint64_t overhead, subtracted;
	uint64_t began; /* in nanoseconds of CLOCK_MONOTONIC */
	/* The process that made the region, its start time in ticks since boot, and its PID
	 * namespace. */
	uint64_t owner;
	uint64_t owner_began, owner_namespace;
	uint64_t seal;

	uint64_t ended; /* in nanoseconds of CLOCK_MONOTONIC; 0: the owner has not ended it */
	uint64_t lost;
	uint64_t words[OSPROF_WORDS];
	uint64_t n_sent; /* complete messages */
	struct message message[MESSAGES];
};

/* What was counted between two snapshots. */
struct span {
	struct span *next;
	uint64_t start, end; /* nanoseconds since the profile began */
	uint64_t total, count;
	size_t n_rows;
	struct row {
		size_t slot;
		uint64_t count;
	} row[];
};

/* The counters of an operation of one label as of the last snapshot, and its intervals. */
struct track {
	struct cell *seen; /* NULL: nothing yet */
	struct span *first, *last;
	uint64_t stuck; /* `begun` of the set's cell when it was given up as never at rest */
};

/* A profile as one process has it open: the mapped region, and pointers to its parts. */
struct capture {
	struct osprof open;
	int slot; /* of this profile among those of the process; -1: an observer */
	unsigned max_ops, resolution;
	size_t cell_size;
	uint64_t subtracted;
	uint64_t next_snapshot;	      /* in the unit of the clock */
	struct thread_entry *entries; /* of each set; record.c */
	unsigned n_sets, n_slots;

	uint64_t every; /* time between snapshots, in the unit of the clock */
	int fd;		/* the file that an observer reads; else -1 */
	int sampled, looking;
	uint64_t n_known; /* messages sent before it was opened, or received since */
	char *second;	  /* of an observer: a buffer for the second read of a set */
	unsigned n_naps;  /* of an observer: naps left for busy cells in this reading */
	size_t set_size, size;
	struct region *region;
	struct name *name;
	struct pair *pair; /* PAIRS of them */
	char *sets;
	uint64_t snapped;    /* time of the last snapshot, in nanoseconds since the profile began */
	struct track *track; /* [set][op]; NULL before the first snapshot */
	uint64_t step[];     /* lower edges of the buckets of the octave [2^63, 2^64) */
};

/* Returns the i-th set of counters of the region. */
static inline struct set *set_at(const struct capture *p, unsigned i)
{
	return (struct set *)(void *)(p->sets + i * p->set_size);
}

/* Whether a thread has ever owned the set; its label no longer changes then. */
static inline int is_used(const struct set *s)
{
	return __atomic_load_n(&s->used, __ATOMIC_ACQUIRE) != 0;
}

static inline struct cell *cell_in(struct set *s, size_t cell_size, unsigned op)
{
	return (struct cell *)(void *)((char *)(s + 1) + op * cell_size);
}

/* Returns the counters of an operation in a set. */
static inline struct cell *cell_of(const struct capture *p, struct set *s, unsigned op)
{
	return cell_in(s, p->cell_size, op);
}

/* Whether a name is completely written. */
static inline int is_ready(const struct name *n)
{
	return __atomic_load_n(&n->state, __ATOMIC_ACQUIRE) == NAME_READY;
}

/* Whether a name is this layer and text. */
static inline int is_named(const struct name *n, const char *layer, const char *text)
{
	return strncmp(n->text, text, sizeof(n->text) - 1) == 0 &&
	       strncmp(n->layer, layer, sizeof(n->layer) - 1) == 0;
}

/* profile.c: returns the name of an operation; NULL: there is no such operation. */
INSIDE const char *osprof_name_of(const struct osprof *p, unsigned op);
/* seal.c */
extern INSIDE const char osprof_magic[8];
INSIDE uint64_t osprof_seal(const struct region *r);
/* Checks the header of a region of `size` bytes. Returns 0 if it is valid, else EINVAL (not a
 * region), EPROTONOSUPPORT (another version), EBADMSG (damaged) or ENODATA (truncated). */
INSIDE int osprof_check(const struct region *r, uint64_t size);
INSIDE void osprof_sign(struct region *r); /* makes this process the owner */
/* profile.c: allocates a capture for a region of these sizes, without mapping one. Returns NULL
 * and sets errno on failure. */
INSIDE struct capture *osprof_capture(unsigned resolution, unsigned max_ops, unsigned n_sets);
/* profile.c: sets the pointers to the parts of the region that begins at `region`. */
INSIDE void osprof_lay_out(struct capture *p, void *region);

/* record.c: each profile of this process has one of OSPROF_MAX_PROFILES slots. */
INSIDE int osprof_take_slot(void); /* -1: all are taken */
INSIDE void osprof_release_slot(int slot);
INSIDE int osprof_open(struct capture *p); /* makes it ready for counting; 0: out of memory */
INSIDE void osprof_close(struct capture *p);
/* Returns zeroed memory that the kernel wipes in the child of any kind of fork; where it cannot,
 * wipe() is called in the children of fork(). NULL: out of memory. */
INSIDE void *osprof_wiped_memory(size_t size, void (*wipe)(void));
/* Returns the calling thread's entry; a thread without one takes one. */
INSIDE struct thread_entry *osprof_entry(struct osprof *p);
/* osprof_stop() with the current time passed in. */
INSIDE uint64_t osprof_stop_at(struct osprof *p, int op, uint64_t start, uint64_t now);
/* Adds the self time of a call that this thread just recorded. `inclusive`: its latency, or 0 if
 * it was nested in a call of the same operation. */
INSIDE void osprof_add_self(struct osprof *p, int op, uint64_t self, uint64_t inclusive);
/* Adds such a call of `lower` made directly by a call of `upper`. `first`: it is the first call of
 * `lower` that this call of `upper` made. */
INSIDE void osprof_add_pair(struct osprof *p, int upper, int lower, int first, uint64_t latency);
/* clock.c: returns cycles per second, or 0 where the cycle counter cannot be used. */
INSIDE uint64_t osprof_counter_rate(void);
INSIDE uint64_t osprof_measure_overhead(const struct osprof *p);
/* look.c: brings p->track up to date. Returns 0 when out of memory. */
INSIDE int osprof_look(struct capture *p);
INSIDE void osprof_forget(struct capture *p);

#endif
