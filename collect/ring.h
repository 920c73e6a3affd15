/* SPDX-License-Identifier: MIT */
/*
 * Per-call records, after DeBox (Ruan and Pai, USENIX 2004, section 3.1): memory
 * that a recording owns and all processes of its command share. The last calls are kept,
 * in a ring; older ones are overwritten.
 *
 * As in region.h nothing is a pointer, a lock or a size that is believed. A record is
 * claimed by an atomic addition and marked when it is whole: whoever is killed while
 * writing one leaves a record that is not, and nobody waits for it.
 */
#ifndef COLLECT_RING_H
#define COLLECT_RING_H

#include <stdint.h>
#include <time.h>

/* What a call waited for: how it is known, and the name in osprof-calls(5). */
#define RESOURCES(RESOURCE)                                                                        \
	RESOURCE(NOTHING, "")                                                                      \
	RESOURCE(FILE, "file")                                                                     \
	RESOURCE(DIRECTORY, "directory")                                                           \
	RESOURCE(PIPE, "pipe")                                                                     \
	RESOURCE(SOCKET, "socket")                                                                 \
	RESOURCE(DEVICE, "device")                                                                 \
	RESOURCE(TERMINAL, "terminal")                                                             \
	RESOURCE(EVENTFD, "eventfd")                                                               \
	RESOURCE(EPOLL, "epoll")                                                                   \
	RESOURCE(TIMER, "timer")                                                                   \
	RESOURCE(SIGNAL, "signal")                                                                 \
	RESOURCE(INOTIFY, "inotify")                                                               \
	RESOURCE(DESCRIPTOR, "descriptor")                                                         \
	RESOURCE(DESCRIPTORS, "descriptors")                                                       \
	RESOURCE(PATH, "path")                                                                     \
	RESOURCE(LOCK, "lock")                                                                     \
	RESOURCE(CONDITION, "condition")                                                           \
	RESOURCE(PROCESS, "process")                                                               \
	RESOURCE(THREAD, "thread")                                                                 \
	RESOURCE(MEMORY, "memory")                                                                 \
	RESOURCE(PROCESSOR, "processor")                                                           \
	RESOURCE(NETWORK, "network")                                                               \
	RESOURCE(FILES, "files")

/* What a call waited for, as far as its descriptor or its name says: disk, network, ... */
enum resource {
#define RESOURCE(id, name) RESOURCE_##id,
	RESOURCES(RESOURCE)
#undef RESOURCE
		N_RESOURCES
};

/* What a call is about, in calls.def: a descriptor, or one of these. */
enum {
#define RESOURCE(id, name) ON_##id = -1 - (int)RESOURCE_##id,
	RESOURCES(RESOURCE)
#undef RESOURCE
};

#define NO_SIZE INT64_MIN

/* What is measured of one call, as it lies in shared memory. */
struct call_record {
	uint64_t start, latency; /* in the unit of the profile: cycles or nanoseconds */
	uint64_t cpu;		 /* nanoseconds, with what measuring it takes */
	uint64_t number;	 /* of this operation in its process, from 1 */
	int64_t size;		 /* bytes that it asked for, or NO_SIZE */
	int64_t result;		 /* what it returned; the negative errno where that is -1 */
	uint32_t process, thread;
	uint32_t site; /* 0: not known; else site - 1 of the ring */
	uint16_t op, resource;
	uint32_t minor_faults, major_faults, voluntary, involuntary;
};

/* Whether a slot of the ring is empty, being written, or holds a whole record. */
enum ring_state { RING_FREE, RING_BUSY, RING_READY };

/* An object file, and how to tell whether it is still the same. */
struct ring_module {
	uint32_t state;
	uint32_t unused;
	uint64_t device, inode, size; /* inode 0: it could not be looked at */
	int64_t seconds;	      /* last changed */
	char path[984];
};

/* A place in a program that calls. */
struct ring_site {
	uint32_t state;
	uint32_t module;
	uint64_t offset; /* of the address after the call, as the object file has it */
};

/* The header of the shared memory: layout, and counts of calls and programs. */
struct ring_head {
	char magic[8];
	uint32_t version, n_ops;
	uint64_t n_records;
	uint64_t began;	       /* in the unit of the profile */
	uint64_t cpu_overhead; /* of measuring, nanoseconds: in each record's cpu */
	uint64_t claimed;      /* calls made */
	uint32_t n_filters;    /* of system calls, that the recording itself is under */
	uint32_t attached;     /* programs that record */
	uint32_t confined;     /* of them, those that could not be asked any more */
	uint32_t unused;
};

struct ring_slot;
struct ring_process;

/* A process's hold on it. */
struct ring {
	struct ring_head *head;
	struct ring_process *process;
	uint64_t *number; /* [process][op] */
	uint64_t *until;  /* [op] CLOCK_MONOTONIC in ns; 0: not wanted; RING_ALWAYS: to the end */
	struct ring_module *module;
	struct ring_site *site;
	struct ring_slot *slot;
	uint64_t n_records;
	uint32_t n_ops;
	uint64_t size;
};

#define RING_ALWAYS UINT64_MAX

enum { RING_MODULES = 1024, RING_SITES = 1 << 14, RING_PROCESSES = 1024 };

/* All of them: 0, or -1 and errno.  Nothing is wanted at first. */
int ring_make(struct ring *ret, int fd, uint64_t n_records, uint32_t n_ops, uint64_t began);
int ring_attach(struct ring *ret, int fd); /* EPERM: system calls are filtered; EPROTONOSUPPORT */
void ring_detach(struct ring *r);

/* Adds a record, which may overwrite the oldest one; safe in any thread and signal handler. */
void ring_add(struct ring *r, const struct call_record *c);
/* What lies at place i, below n_records; 0: nothing, or nothing whole. */
int ring_get(const struct ring *r, uint64_t i, struct call_record *ret);
/* The record of call i of all that were claimed; 0: it is overwritten, or was never whole. */
int ring_get_claimed(const struct ring *r, uint64_t i, struct call_record *ret);

/* Calls of an operation are to leave records up to a time of CLOCK_MONOTONIC in nanoseconds, or
 * RING_ALWAYS; a later one that was asked for stays. */
void ring_want(struct ring *r, unsigned op, uint64_t until);

/* The number of a site for call_record, a new one where there is none; 0: no room. */
uint32_t ring_site(struct ring *r, const struct ring_module *module, uint64_t offset);

/* How often this process made each call; `replaced`: by exec, and goes on counting what
 * ring_hand_on() handed on. NULL: there are too many processes. */
uint64_t *ring_numbers(struct ring *r, uint32_t process, int replaced);
void ring_hand_on(struct ring *r, uint32_t process, int yes);

/* Processor time of this thread, in nanoseconds. */
static inline uint64_t ring_cpu_time(void)
{
	struct timespec t = { 0 };

	(void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

#endif
