/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Context switches of threads, which uftrace records in files of processors. */
#ifndef FORMATS_PROGRAMS_UFTRACE_SWITCHES_H
#define FORMATS_PROGRAMS_UFTRACE_SWITCHES_H

#include "calls/call_sink.h"

/* A context switch of one thread: its time, and whether the thread was switched out or back. */
struct uftrace_switch {
	uint64_t ns, tid;
	bool back, preempted;
};

/* A time that a thread was off its processor. */
struct uftrace_wait {
	uint64_t tid, start, end;
	bool preempted;
};

/* The waits of one thread that are still to come. */
struct uftrace_waits {
	const struct uftrace_wait *next;
	size_t n;
};

/* A list of context switches; zero-initialized is empty. */
struct uftrace_switches {
	struct uftrace_switch *v;
	size_t n, cap;
	struct uftrace_wait *wait; /* after pairing; by thread, then by time */
	size_t n_waits, cap_waits;
};

/* Adds a context switch; call it in order of time. */
void uftrace_switch_add(struct uftrace_switches *s, struct uftrace_switch one);
/* Pairs the switches of each thread, which may come back on another processor.  Returns the number
 * of unmatched switches, except a thread's first and last one. */
uint64_t uftrace_switches_pair(struct uftrace_switches *s);
/* Returns the waits of a thread. */
struct uftrace_waits uftrace_waits_of(const struct uftrace_switches *s, uint64_t tid);
/* Pushes the waits that end up to `ns` as calls of what runs then, so that they are no function's own
 * time.  Those that begin before `last`, when the thread ran as it says itself, and those outside of
 * all functions, if none is open, are left out.  False when an error was reported. */
MUST_CHECK bool uftrace_waits_push(struct uftrace_waits *w, struct call_sink *to, uint64_t ns,
				   uint64_t last, bool is_open);
/* Pairs the switches, and pushes the waits.  Returns what pairing returns. */
uint64_t uftrace_switches_push(struct uftrace_switches *s, struct call_sink *to);
void uftrace_switches_release(struct uftrace_switches *s);

#endif
