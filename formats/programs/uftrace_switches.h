/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When threads left their processor and came back, which uftrace has in files of processors. */
#ifndef FORMATS_PROGRAMS_UFTRACE_SWITCHES_H
#define FORMATS_PROGRAMS_UFTRACE_SWITCHES_H

#include "profile/call_sink.h"

/* A context switch of one thread: when, and whether it left the processor or came back. */
struct uftrace_switch {
	uint64_t ns, tid;
	bool back, preempted;
};

/* All zero is an empty one. */
struct uftrace_switches {
	struct uftrace_switch *v;
	size_t n, cap;
};

/* Adds a context switch; they come in the order of time. */
void uftrace_switch_add(struct uftrace_switches *s, struct uftrace_switch one);
/* Pairs them, a thread may come back on another processor, and pushes what it waited.  Gives how
 * many have no other half, besides a thread's first and last one. */
uint64_t uftrace_switches_push(struct uftrace_switches *s, struct call_sink *to);
void uftrace_switches_release(struct uftrace_switches *s);

#endif
