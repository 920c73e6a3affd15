/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Per-call records, each with what became of it (DeBox, section 3.1, at user
 * level): for analyses that a histogram has nothing left for.
 *
 * Names are held once; a record takes 88 bytes.
 */
#ifndef PROFILE_CALLS_H
#define PROFILE_CALLS_H

#include <stdint.h>

#include "base/str.h"

struct arena;

/* All times in nanoseconds. */
struct call {
	uint64_t start;	  /* since recording began */
	uint64_t latency; /* as the caller saw it */
	uint64_t cpu;	  /* processor time of the thread within it */
	uint64_t blocked; /* blocked (voluntary context switches) */
	uint64_t kernel;  /* CALL_NO_TIME: not recorded */
	uint64_t number;  /* of this operation in this process, from 1; there may be gaps */
	uint32_t process; /* 0 to n_processes - 1 */
	uint32_t thread;  /* 0 to n_threads - 1 */
	uint32_t run;	  /* 1 to n_runs */
	uint32_t operation, site, resource; /* names, by number; 0: none */
	uint32_t minor_faults, major_faults;
	uint32_t voluntary, involuntary; /* switches to another thread */
};

#define CALL_NO_TIME UINT64_MAX

/* Each name once, by its number. */
struct call_names {
	struct str *v;
	size_t n;

	/* Its own. */
	size_t cap;
	struct call_name *table;
};

/* Per-call records of one or several runs; calls_free() frees them with their arena. */
struct calls {
	struct arena *arena;
	struct call *v;
	size_t n;     /* those that were chosen; others stand after them */
	size_t n_all; /* with the others */
	struct call_names operations, sites, resources; /* the first one of each is empty */
	size_t n_runs;
	size_t n_processes, n_threads; /* those of each run are others */
	uint64_t lost;		       /* calls that were not kept */
	struct str command, clock;     /* as the first run says; empty: it does not */

	/* Its own. */
	size_t cap;
	struct call_id *processes, *threads, *last_process, *last_thread;
};

/* No records; calls_free() frees them. */
struct calls *calls_new(void);
void calls_free(struct calls *c); /* NULL is fine */

/* The number of a name, which is copied when it is new. */
uint32_t calls_name(struct calls *c, struct call_names *names, struct str name);
/* What follows is of another run: its processes are others. */
void calls_next_run(struct calls *c);
/* Adds a record; `process`, `thread` and `run` are found by the ids of its process and its thread.
 */
void calls_add(struct calls *c, const struct call *call, uint32_t process_id, uint32_t thread_id);
/* Only operations that are wanted, by number, are among the first n. */
void calls_keep(struct calls *c, const bool *wanted);

/* It blocked. */
static inline bool call_blocked(const struct call *c)
{
	return c->resource != 0 || c->blocked > 0 || c->voluntary > 0;
}

/* The processor was taken from it, and it did not wait for anything. */
static inline bool call_preempted(const struct call *c)
{
	return c->involuntary > 0 && !call_blocked(c);
}

#endif
