/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Events of the kernel's tracepoints into latencies: for perf script, tracefs and
 * trace-cmd, which print the same events in lines of their own.
 *
 *	layer syscall	sys_enter_X to sys_exit_X of a thread; sys_enter and sys_exit
 *			with a number, which is the name then
 *	layer block	block_rq_issue to block_rq_complete of a device and a sector;
 *			the name is what kind of request it is ("WS")
 *	layer sched	of sched_switch and sched_wakeup: `on-cpu` from switch in to
 *			switch out, `off-cpu` from out to in, `run queue` from wakeup,
 *			or from being preempted, to in; not of idle tasks
 *	layer irq	irq_handler_entry to _exit, named by the handler
 *	layer softirq	softirq_entry to _exit, named by the action
 *	layer lock	contention_begin to contention_end of a thread and a lock;
 *			the name is what kind of lock it is, as perf lock has it
 *	layer function	funcgraph_entry and funcgraph_exit of trace-cmd
 *	layer event	any other pair X_entry, X_enter, X_start, X_begin to X_exit,
 *			X_end or X_done of a thread
 */
#ifndef FORMATS_KERNEL_EVENTS_H
#define FORMATS_KERNEL_EVENTS_H

#include "formats/samples.h"

struct kernel_event {
	struct str name;   /* without its subsystem */
	struct str fields; /* what stands behind its colon */
	uint64_t tid, cpu;
	struct decimal at; /* nanoseconds */
};

struct kernel_events;

struct kernel_events *kernel_events_new(struct samples *to);
void kernel_events_free(struct kernel_events *k); /* NULL is fine */

/* False when an error was reported. */
MUST_CHECK bool kernel_events_add(struct kernel_events *k, const struct kernel_event *e);
/* What tracefs prints of a syscall: `name` is its bare name. */
MUST_CHECK bool kernel_events_syscall(struct kernel_events *k, const struct kernel_event *e,
				      bool enter);
void kernel_events_lost(struct kernel_events *k); /* events are missing here */

/* Notes what was left out. */
void kernel_events_tell(struct kernel_events *k, struct input *in, struct diag *diag);

/* Splits a line at a time, "12155.836559: ", of which a task's name may be one, too:
 * the next from *at on, which moves past it.  What stands before and behind it, the
 * time in nanoseconds, and how many digits it has behind the point, 6 or 9. */
bool kernel_split(struct str line, size_t *at, struct decimal *ret_ns, size_t *ret_digits,
		  struct str *ret_front, struct str *ret_back);

/* Samples in nanoseconds; `granularity`: of their clock, 0 where it tells them all apart. */
enum { KERNEL_MICROSECONDS = 1000 };
void kernel_samples_start(struct samples *s, struct input *in, const struct read_options *options,
			  double granularity, struct diag *diag);

#endif
