/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Per-call records with what happened in each call (DeBox, section 3.1, at user
 * level), for analyses that need more than a histogram.
 *
 * Names are stored once; a record takes 88 bytes.
 */
#ifndef CALLS_CALLS_H
#define CALLS_CALLS_H

#include <stdint.h>

#include "base/str.h"

struct arena;

/* One record; all times are in nanoseconds. */
struct call {
	uint64_t start;	  /* since recording began */
	uint64_t latency; /* as the caller saw it */
	uint64_t cpu;	  /* processor time of the thread within it */
	uint64_t blocked; /* blocked (voluntary context switches) */
	uint64_t kernel;  /* time in the kernel; CALL_NO_TIME: not recorded */
	uint64_t number;  /* among the operation's calls in this process, from 1; may have gaps */
	uint32_t process; /* 0 to n_processes - 1 */
	uint32_t thread;  /* 0 to n_threads - 1 */
	uint32_t run;	  /* 1 to n_runs */
	uint32_t operation, site, resource; /* names, by number; 0: none */
	uint32_t minor_faults, major_faults;
	uint32_t voluntary, involuntary; /* context switches */
};

#define CALL_NO_TIME UINT64_MAX

/* Names by number, without duplicates. */
struct call_names {
	struct str *v;
	size_t n;

	/* Private. */
	size_t cap;
	struct call_name *table;
};

/* Per-call records of one or several runs; calls_free() frees them with their arena. */
struct calls {
	struct arena *arena;
	struct call *v;
	size_t n;     /* chosen records; the others come after them */
	size_t n_all; /* all records */
	struct call_names operations, sites, resources; /* number 0 of each is empty */
	size_t n_runs;
	size_t n_processes, n_threads; /* of all runs; runs have none in common */
	uint64_t lost;		       /* calls that were not kept */
	struct str command, clock;     /* as stated by the first run; empty: not stated */

	/* Private. */
	size_t cap;
	struct call_id *processes, *threads, *last_process, *last_thread;
};

/* Returns an empty table of records; calls_free() frees it. */
struct calls *calls_new(void);
void calls_free(struct calls *c); /* NULL is fine */

/* Returns the number of a name, which is copied if new. */
uint32_t calls_name(struct calls *c, struct call_names *names, struct str name);
/* Stores the ids of all threads by their numbers. */
void calls_thread_ids(const struct calls *c, uint32_t *ret);
/* Begins a run; must come before its records. */
void calls_next_run(struct calls *c);
/* Adds a record; sets its `process`, `thread` and `run` by the ids, which are of the current run.
 */
void calls_add(struct calls *c, const struct call *call, uint32_t process_id, uint32_t thread_id);
/* Leaves only records of wanted operations among the first n. */
void calls_keep(struct calls *c, const bool *wanted);

/* Whether a call blocked. */
static inline bool call_blocked(const struct call *c)
{
	return c->resource != 0 || c->blocked > 0 || c->voluntary > 0;
}

/* Whether a call was preempted and did not block. */
static inline bool call_preempted(const struct call *c)
{
	return c->involuntary > 0 && !call_blocked(c);
}

#endif
