/* SPDX-License-Identifier: MIT */
/*
 * Per-call records, after DeBox (Ruan and Pai, USENIX 2004, section 3.1): a ring buffer that a
 * recording owns and all processes of its command share. It keeps the last calls; older ones
 * are overwritten.
 *
 * As in region.h there are no pointers, locks or trusted sizes. A writer claims a slot by an
 * atomic addition and marks it when the record is complete. A writer that is killed leaves an
 * incomplete record, for which nobody waits.
 */
#ifndef COLLECT_RING_H
#define COLLECT_RING_H

#include <stdint.h>
#include <time.h>

/* What a call may wait for: the constant, and the name in osprof-calls(5). */
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

/* What a call waited for, as far as its descriptor or its name tells. */
enum resource {
#define RESOURCE(id, name) RESOURCE_##id,
	RESOURCES(RESOURCE)
#undef RESOURCE
		N_RESOURCES
};

/* What a call operates on, in calls.def: a descriptor, or one of these. */
enum {
#define RESOURCE(id, name) ON_##id = -1 - (int)RESOURCE_##id,
	RESOURCES(RESOURCE)
#undef RESOURCE
};

#define NO_SIZE INT64_MIN

/* The record of one call in shared memory. */
struct call_record {
	uint64_t start, latency; /* in the unit of the profile: cycles or nanoseconds */
	uint64_t cpu;		 /* CPU time in nanoseconds, including the cost of measuring it */
	uint64_t number;	 /* counts the process's calls of this operation from 1 */
	int64_t size;		 /* bytes that the call asked for, or NO_SIZE */
	int64_t result;		 /* the return value, or the negative errno if it was -1 */
	uint32_t process, thread;
	uint32_t site; /* 0: not known; else 1 + the index of the site in the ring */
	uint16_t op, resource;
	uint32_t minor_faults, major_faults, voluntary, involuntary;
};

/* Whether an entry of the ring's tables is free, being written, or complete. */
enum ring_state { RING_FREE, RING_BUSY, RING_READY };

/* An object file, and what identifies this version of it. */
struct ring_module {
	uint32_t state;
	uint32_t unused;
	uint64_t device, inode, size; /* inode 0: stat failed */
	int64_t seconds;	      /* time of last modification */
	char path[984];
};

/* A call site. */
struct ring_site {
	uint32_t state;
	uint32_t module;
	uint64_t offset; /* the return address, relative to where the object file is loaded */
};

/* The header of the shared memory: layout, and counts of calls and programs. */
struct ring_head {
	char magic[8];
	uint32_t version, n_ops;
	uint64_t n_records;
	uint64_t began;	       /* in the unit of the profile */
	uint64_t cpu_overhead; /* cost of measuring, in nanoseconds, included in each cpu */
	uint64_t claimed;      /* records claimed so far */
	uint32_t n_filters;    /* system call filters (seccomp) on the recorder itself */
	uint32_t attached;     /* programs that record */
	uint32_t confined;     /* those of them that stopped because of a system call filter */
	uint32_t unused;
};

struct ring_slot;
struct ring_process;

/* The ring as one process has it mapped. */
struct ring {
	struct ring_head *head;
	struct ring_process *process;
	uint64_t *number; /* [process][op] */
	uint64_t *until;  /* [op] ring_want(): CLOCK_MONOTONIC in ns; 0: not recorded */
	struct ring_module *module;
	struct ring_site *site;
	struct ring_slot *slot;
	uint64_t n_records;
	uint32_t n_ops;
	uint64_t size;
};

#define RING_ALWAYS UINT64_MAX

enum { RING_MODULES = 1024, RING_SITES = 1 << 14, RING_PROCESSES = 1024 };

/* Create the ring in the file fd, or map it. Return 0, or -1 and errno; ring_attach(): EPERM when
 * this process has more system call filters than the recorder, EPROTONOSUPPORT for another
 * version. No operation is recorded until ring_want(). */
int ring_make(struct ring *ret, int fd, uint64_t n_records, uint32_t n_ops, uint64_t began);
int ring_attach(struct ring *ret, int fd);
void ring_detach(struct ring *r);

/* Adds a record, which may overwrite the oldest one; safe in any thread and signal handler. */
void ring_add(struct ring *r, const struct call_record *c);
/* Copies the record in slot i, below n_records. Returns 0 if it is empty or incomplete. */
int ring_get(const struct ring *r, uint64_t i, struct call_record *ret);
/* Copies the i-th record ever claimed. Returns 0 if it is overwritten or incomplete. */
int ring_get_claimed(const struct ring *r, uint64_t i, struct call_record *ret);

/* Has the calls of an operation recorded until a time of CLOCK_MONOTONIC in nanoseconds, or
 * RING_ALWAYS. Never shortens what was asked for before. */
void ring_want(struct ring *r, unsigned op, uint64_t until);

/* Returns the number of a site for call_record.site, adding it if needed; 0: no room. */
uint32_t ring_site(struct ring *r, const struct ring_module *module, uint64_t offset);

/* Returns the process's counts of calls, by operation; NULL: too many processes. They start at 0,
 * unless the program was started by exec (`replaced`) and ring_inherit() handed the counts on. */
uint64_t *ring_numbers(struct ring *r, uint32_t process, int replaced);
void ring_inherit(struct ring *r, uint32_t process, int yes);

/* Returns the CPU time of this thread in nanoseconds. */
static inline uint64_t ring_cpu_time(void)
{
	struct timespec t = { 0 };

	(void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

#endif
