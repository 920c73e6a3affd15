/* SPDX-License-Identifier: MIT */
/*
 * Begins and ends of calls, from the threads of a recorded command to the recorder, which
 * makes a tree of calls of them: memory that a recording owns and all processes share.
 *
 * A thread writes into a chunk of its own; a full one is taken by the recorder and is free
 * again.  As in region.h nothing is a pointer, a lock or a size that is believed: what a
 * thread wrote until it was killed is there.
 */
#ifndef COLLECT_STREAM_H
#define COLLECT_STREAM_H

#include <stdint.h>

enum {
	STREAM_CHUNKS = 4096,
	STREAM_EVENTS = 253, /* of a chunk */
};

#define STREAM_LEAVE 0x80000000u

/* One begin or end of a call. */
struct stream_event {
	uint64_t at;   /* in the unit of the profile: cycles or nanoseconds */
	uint32_t op;   /* of the profile; with STREAM_LEAVE where it ends */
	uint32_t left; /* it ended without a return, some time before */
};

/* STREAM_TAKING: its owner is filling in who that is. */
enum stream_state { STREAM_FREE, STREAM_TAKING, STREAM_OWNED, STREAM_FULL };

/* Events of one thread in the order of time; the thread fills it, the recorder empties it. */
struct stream_chunk {
	uint32_t state, n;
	uint64_t ticket; /* ascending by the time when it was claimed */
	uint32_t process, thread;
	uint32_t unused;
	uint32_t lost; /* events, before the first one */
	/* The ticket of its thread's first chunk: another thread, or another program, may have
	 * the same number later. */
	uint64_t series;
	uint64_t unused_too;
	struct stream_event event[STREAM_EVENTS];
};

/* The header of the shared memory: layout, and counts of chunks. */
struct stream_head {
	char magic[8];
	uint32_t version;
	int32_t root; /* the operation whose calls are reported */
	uint64_t began;
	uint64_t claimed;   /* chunks */
	uint64_t waited;    /* times that a thread found no free chunk */
	uint32_t high;	    /* chunks from here on were never claimed */
	uint32_t abandoned; /* nobody takes them any more */
};

/* The shared memory as one process has it mapped. */
struct stream {
	struct stream_head *head; /* NULL: there is none */
	struct stream_chunk *chunk;
};

/* The recorder's.  Both: 0, or -1 and errno. */
int stream_make(struct stream *ret, int fd, int root, uint64_t began);
int stream_map(struct stream *ret, int fd);
void stream_unmap(struct stream *s);

/* Gives whole chunks to take(), in the order of each thread's events, and frees them;
 * `all`: also those that are being filled.  The number of chunks. */
unsigned stream_take(struct stream *s, int all,
		     void (*take)(void *ctx, const struct stream_chunk *c, uint32_t n), void *ctx);

#endif
