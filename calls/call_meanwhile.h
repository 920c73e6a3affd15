/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds what other threads did while calls of the function waited: paths of calls, outermost
 * first, with their shares of that waiting time and of the whole trace.
 */
#ifndef CALLS_CALL_MEANWHILE_H
#define CALLS_CALL_MEANWHILE_H

#include "calls/call_tree.h"

struct call_meanwhile;
struct grow_frame;
struct grow_thread;

/* One path of calls that ran while the function waited. */
struct meanwhile_calls {
	const struct str *path; /* n names, the outermost first */
	size_t n;
	double waiting, trace; /* its shares of the waiting time and of the whole trace */
};

/* Returns an object that collects paths for n waits of the chosen calls, which are copied;
 * call_meanwhile_free() frees it. */
struct call_meanwhile *call_meanwhile_new(const struct call_pause *pause, size_t n);
void call_meanwhile_free(struct call_meanwhile *m); /* NULL is fine */

/* Finds paths that take at least the share `least` of the waiting time, sorted by how much larger
 * this share is than that of the trace; returns their number. */
size_t call_meanwhile_find(const struct call_meanwhile *m, struct arena *a,
			   const struct call_tree *names, double min, struct meanwhile_calls **ret);

/* Called by calls/call_threads.c when calls of any thread begin and end. */
void meanwhile_enter(struct call_meanwhile *m, const struct grow_thread *t, struct grow_frame *f);
void meanwhile_leave(struct call_meanwhile *m, const struct grow_thread *t,
		     const struct grow_frame *f, int64_t end);

#endif
