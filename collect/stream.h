/* SPDX-License-Identifier: MIT */
/*
 * A queue in shared memory: the threads of a recorded command send the starts and ends of calls
 * to the recorder, which builds a call tree. The recording owns it; all processes share it.
 *
 * A thread writes into a chunk of its own; the recorder takes full chunks and frees them. As in
 * region.h there are no pointers, locks or trusted sizes: what a thread wrote before it was
 * killed can be read.
 */
#ifndef COLLECT_STREAM_H
#define COLLECT_STREAM_H

#include <stdint.h>

enum {
	STREAM_CHUNKS = 4096,
	STREAM_EVENTS = 253, /* per chunk */
};

#define STREAM_LEAVE 0x80000000u

/* The start or end of a call. */
struct stream_event {
	uint64_t at;   /* in the unit of the profile: cycles or nanoseconds */
	uint32_t op;   /* its number in the profile; an end has STREAM_LEAVE set */
	uint32_t left; /* the call ended earlier, by longjmp() or an exception */
};

/* STREAM_TAKING: the new owner is filling in the header. */
enum stream_state { STREAM_FREE, STREAM_TAKING, STREAM_OWNED, STREAM_FULL };

/* Events of one thread in order of time; the thread fills it, the recorder empties it. */
struct stream_chunk {
	uint32_t state, n;
	uint64_t ticket; /* ascends in the order in which chunks are claimed */
	uint32_t process, thread;
	uint32_t unused;
	uint32_t lost; /* events lost before the first one */
	/* The ticket of the thread's first chunk, which identifies it: thread and process numbers
	 * may be reused. */
	uint64_t series;
	uint64_t unused_too;
	struct stream_event event[STREAM_EVENTS];
};

/* The header of the shared memory: layout, and counts of chunks. */
struct stream_head {
	char magic[8];
	uint32_t version;
	int32_t root; /* the operation below which calls are reported */
	uint64_t began;
	uint64_t claimed;   /* chunks claimed so far */
	uint64_t waited;    /* times that a thread waited because no chunk was free */
	uint32_t high;	    /* one above the highest chunk ever claimed */
	uint32_t abandoned; /* the recorder no longer takes chunks */
};

/* The shared memory as one process has it mapped. */
struct stream {
	struct stream_head *head; /* NULL: not mapped */
	struct stream_chunk *chunk;
};

/* Create the stream (the recorder), or map it. Return 0, or -1 and errno. */
int stream_make(struct stream *ret, int fd, int root, uint64_t began);
int stream_map(struct stream *ret, int fd);
void stream_unmap(struct stream *s);

/* Passes full chunks to take(), each thread's in order, and frees them; `all`: also those that
 * are being filled. Returns the number of chunks. */
unsigned stream_take(struct stream *s, int all,
		     void (*take)(void *ctx, const struct stream_chunk *c, uint32_t n), void *ctx);

#endif
