/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Context switches of threads, which uftrace records in files of processors. */
#ifndef FORMATS_PROGRAMS_UFTRACE_SWITCHES_H
#define FORMATS_PROGRAMS_UFTRACE_SWITCHES_H

#include "profile/call_sink.h"

/* A context switch of one thread: its time, and whether the thread was switched out or back. */
struct uftrace_switch {
	uint64_t ns, tid;
	bool back, preempted;
};

/* A list of context switches; zero-initialized is empty. */
struct uftrace_switches {
	struct uftrace_switch *v;
	size_t n, cap;
};

/* Adds a context switch; call it in order of time. */
void uftrace_switch_add(struct uftrace_switches *s, struct uftrace_switch one);
/* Pairs the switches of each thread, which may come back on another processor, and pushes the
 * waits. Returns the number of unmatched switches, except a thread's first and last one. */
uint64_t uftrace_switches_push(struct uftrace_switches *s, struct call_sink *to);
void uftrace_switches_release(struct uftrace_switches *s);

#endif
