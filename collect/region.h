/* SPDX-License-Identifier: MIT */
/*
 * Inside the capture library: the region that is shared, and a process's hold on it.
 *
 * All that is counted lies in one piece of shared memory, the region: a header, the
 * names of operations, and sets of counters. A set belongs to one thread at a time, so
 * that counting needs neither locks nor atomic instructions (OSprof section 3.4); when
 * its thread ends, the next one goes on adding to it. The last set is for threads that
 * found no free one: they share it, by atomic additions.
 *
 * Nothing in the region is a pointer, a lock, or a size that is believed: a process
 * that ends at any moment leaves what it counted, and holds up nobody.
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

/* What was sent to those who share the region. Message k lies in slot k modulo MESSAGES. */
struct message {
	uint64_t sent_at; /* in nanoseconds of CLOCK_MONOTONIC */
	uint64_t size;
	uint64_t bytes[OSPROF_MAX_MESSAGE / 8];
};

/* An operation's name as it stands in the region: layer and text, NUL-terminated. */
struct name {
	uint32_t state;
	uint32_t plain; /* values that are no times */
	uint64_t unused;
	char layer[24];
	char text[220];
};

/* What is counted of an operation. `begun` and `ended` are equal unless a call is being
 * added right now, or its thread was killed while it was. */
struct cell {
	uint64_t begun, total, ended;
	/* Of n_self calls: what was spent in none of those that they called, and the total
	 * without calls within calls of the same operation. */
	uint64_t n_self, self, inclusive;
	uint64_t slot[]; /* 0: latency 0; k: bucket k - 1 */
};

/* Calls of one operation directly within those of another. */
struct pair {
	uint64_t key; /* 0: free */
	uint64_t reached, calls, total;
};

/* A set of counters in the region, which one thread at a time owns and adds to without atomics. */
struct set {
	uint32_t owned;
	uint32_t used; /* ever */
	char label[LABEL];
};

/* The first part never changes once the magic is there; the seal is over it (seal.c). */
struct region {
	char magic[8];
	uint32_t version, has_counter;
	uint32_t resolution, max_ops, n_sets, by;
	uint64_t size; /* of all of it, in bytes */
	uint64_t hz;   /* of the counter */
	uint64_t overhead, subtracted;
	uint64_t began; /* in nanoseconds of CLOCK_MONOTONIC */
	uint64_t owner; /* the process that made it, when it began, and where it has that number */
	uint64_t owner_began, owner_namespace;
	uint64_t seal;

	uint64_t ended; /* in nanoseconds of CLOCK_MONOTONIC; 0: the owner has not ended it */
	uint64_t lost;
	uint64_t words[OSPROF_WORDS];
	uint64_t n_sent; /* messages that are whole */
	struct message message[MESSAGES];
};

/* What was counted between two snapshots. */
struct span {
	struct span *next;
	uint64_t start, end; /* nanoseconds since the beginning */
	uint64_t total, count;
	size_t n_rows;
	struct row {
		size_t slot;
		uint64_t count;
	} row[];
};

/* An operation of one label, as of the last snapshot. */
struct track {
	struct cell *seen; /* NULL: nothing yet */
	struct span *first, *last;
	uint64_t stuck; /* of the set: calls begun when it did not come to rest */
};

/* What one process holds of a profile: the mapped region, and pointers to its parts. */
struct capture {
	struct osprof open;
	int slot; /* of this profile among those of the process; -1: it only observes */
	unsigned max_ops, resolution;
	size_t cell_size;
	uint64_t subtracted;
	uint64_t next_snapshot; /* in the unit of the clock */
	struct seat *seats;	/* of each set; record.c */
	unsigned n_sets, n_slots;

	uint64_t every; /* from one snapshot to the next, in the unit of the clock */
	int fd;		/* what it observes; else -1 */
	int sampled, looking;
	uint64_t n_known; /* messages that were there before, or were taken */
	char *second;	  /* of an observer: room for reading a set again */
	unsigned n_naps;  /* the same: how often it still waits for cells in this reading */
	size_t set_size, size;
	struct region *region;
	struct name *name;
	struct pair *pair; /* PAIRS of them */
	char *sets;
	uint64_t snapped;    /* when the last was taken, nanoseconds */
	struct track *track; /* [set][op]; NULL before the first snapshot */
	uint64_t step[];     /* where parts of an octave begin, of [2^63, 2^64) */
};

/* The i-th set of counters of a region. */
static inline struct set *set_at(const struct capture *p, unsigned i)
{
	return (struct set *)(void *)(p->sets + i * p->set_size);
}

/* Then its label no longer changes. */
static inline int is_used(const struct set *s)
{
	return __atomic_load_n(&s->used, __ATOMIC_ACQUIRE) != 0;
}

static inline struct cell *cell_in(struct set *s, size_t cell_size, unsigned op)
{
	return (struct cell *)(void *)((char *)(s + 1) + op * cell_size);
}

/* The counters of an operation in a set. */
static inline struct cell *cell_of(const struct capture *p, struct set *s, unsigned op)
{
	return cell_in(s, p->cell_size, op);
}

/* Whether a name was written to its end. */
static inline int is_ready(const struct name *n)
{
	return __atomic_load_n(&n->state, __ATOMIC_ACQUIRE) == NAME_READY;
}

/* Whether a name is that of this layer and operation. */
static inline int is_named(const struct name *n, const char *layer, const char *text)
{
	return strncmp(n->text, text, sizeof(n->text) - 1) == 0 &&
	       strncmp(n->layer, layer, sizeof(n->layer) - 1) == 0;
}

/* profile.c: NULL: there is no such operation. */
INSIDE const char *osprof_name_of(const struct osprof *p, unsigned op);
/* seal.c */
extern INSIDE const char osprof_magic[8];
INSIDE uint64_t osprof_seal(const struct region *r);
/* The errno that says what is wrong with the header of a region of `size` bytes: EINVAL none at
 * all, EPROTONOSUPPORT another version, EBADMSG damaged, ENODATA cut off. 0: nothing. */
INSIDE int osprof_check(const struct region *r, uint64_t size);
INSIDE void osprof_sign(struct region *r); /* with this process as its owner */
/* profile.c: the capture for a region of these sizes, without one; NULL and errno. */
INSIDE struct capture *osprof_capture(unsigned resolution, unsigned max_ops, unsigned n_sets);
/* profile.c: where the parts of a region are that begins here. */
INSIDE void osprof_lay_out(struct capture *p, void *region);

/* record.c: the profiles of this process have places, OSPROF_MAX_PROFILES in all. */
INSIDE int osprof_take_slot(void); /* its number, or -1 */
INSIDE void osprof_release_slot(int slot);
INSIDE int osprof_open(struct capture *p); /* from now on it is counted into; 0: out of memory */
INSIDE void osprof_close(struct capture *p);
/* Memory of zeros, which is wiped in the child of any kind of fork; where the system cannot do
 * that, wipe() is called in the children of fork(). NULL: out of memory. */
INSIDE void *osprof_wiped_memory(size_t size, void (*wipe)(void));
/* The calling thread's seat; it takes one where it has none. */
INSIDE struct seat *osprof_seat(struct osprof *p);
/* osprof_stop() at a time that was read before. */
INSIDE uint64_t osprof_stop_at(struct osprof *p, int op, uint64_t start, uint64_t now);
/* Of a call that was just added by this thread: what is its own, and 0 or its latency where it
 * lies in one of the same operation or not. */
INSIDE void osprof_add_self(struct osprof *p, int op, uint64_t self, uint64_t inclusive);
/* The same: it lies directly in a call of another operation, as the first of its kind or not. */
INSIDE void osprof_add_pair(struct osprof *p, int upper, int lower, int first, uint64_t latency);
/* clock.c: cycles a second where the counter can be used, else 0. */
INSIDE uint64_t osprof_counter_rate(void);
INSIDE uint64_t osprof_measure_overhead(const struct osprof *p);
/* look.c: brings p->track up to date; 0: out of memory. */
INSIDE int osprof_look(struct capture *p);
INSIDE void osprof_forget(struct capture *p);

#endif
