/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Turns events of kernel tracepoints into latencies, whatever tool prints them: the reader's
 * `struct kernel_event_format` parses their fields.
 *
 *	layer syscall	sys_enter_X to sys_exit_X of a thread; sys_enter and sys_exit
 *			with a number, which is then the name
 *	layer block	block_rq_issue to block_rq_complete of a device and a sector;
 *			the name is the kind of request ("WS")
 *	layer sched	of sched_switch and sched_wakeup: `on-cpu` from switch in to
 *			switch out, `off-cpu` from out to in, `run queue` from wakeup,
 *			or from being preempted, to in; not of idle tasks
 *	layer irq	irq_handler_entry to _exit, named by the handler
 *	layer softirq	softirq_entry to _exit, named by the action
 *	layer lock	contention_begin to contention_end of a thread and a lock;
 *			the name is the kind of lock, as in perf lock
 *	layer kvm	kvm_exit to kvm_entry of a thread, which is a VCPU: the time
 *			outside the guest, named by the reason as in perf kvm stat;
 *			and `guest` from kvm_entry to kvm_exit
 *	layer function	funcgraph_entry and funcgraph_exit of trace-cmd
 *	layer event	any other pair X_entry, X_enter, X_start, X_begin to X_exit,
 *			X_end or X_done of a thread
 *
 * Events that need a thread are left out if it is unknown; a note gives their number.
 */
#ifndef FORMATS_TRACING_KERNEL_EVENTS_H
#define FORMATS_TRACING_KERNEL_EVENTS_H

#include "calls/call_sink.h"
#include "formats/samples.h"

struct ctf_group;

/* One event of a tracepoint, as a reader passes it on; strings are borrowed. */
struct kernel_event {
	struct str name;	       /* without its subsystem */
	struct str fields;	       /* the text after the colon */
	const struct ctf_group *group; /* instead of `fields`, for kernel_ctf */
	struct str layer;	       /* for pairs that are not the kernel's own; empty: event */
	uint64_t tid, cpu;
	uint64_t host;	   /* if there are several; it is also in the upper halves of tid and cpu */
	bool threadless;   /* the thread is not known */
	struct decimal at; /* nanoseconds */
};

/* What identifies a block request, and its kind. */
struct kernel_request {
	uint64_t device, sector;
	struct str kind;
};

/* sched_switch: one thread leaves a processor, another one gets it. */
struct kernel_switch {
	uint64_t out, in;
	bool preempted; /* `out` was still runnable */
};

/* A lock that a thread contends for. */
struct kernel_lock {
	struct str lock, kind;
	bool again; /* the same wait, reported a second time; it ends once */
};

/* The kernel's LCB_F_ flags in contention_begin. */
enum {
	LOCK_SPIN = 1,
	LOCK_READ = 2,
	LOCK_WRITE = 4,
	LOCK_RT = 8,
	LOCK_PERCPU = 16,
	LOCK_MUTEX = 32,
};

/* Returns perf lock's name for a lock with these flags; `printed` when it has none. */
struct str kernel_lock_kind(uint64_t flags, struct str printed);

/* Parsers for an event's fields, as a tool prints them.  They return false, or an empty name, when
 * a field is missing. */
struct kernel_event_format {
	/* of sys_enter and sys_exit: the call's number */
	struct str (*syscall)(const struct kernel_event *e);
	struct str (*irq)(const struct kernel_event *e);
	struct str (*softirq)(const struct kernel_event *e);
	struct str (*vm_exit)(const struct kernel_event *e); /* why the guest was left */
	bool (*request)(const struct kernel_event *e, struct input *in, struct kernel_request *ret);
	bool (*change)(const struct kernel_event *e, struct input *in, struct kernel_switch *ret);
	bool (*woken)(const struct kernel_event *e, struct input *in, uint64_t *ret_tid);
	bool (*lock)(const struct kernel_event *e, struct input *in, struct kernel_lock *ret);
};

struct kernel_events;

/* `event_format` may be NULL if kernel_events_add() is not used. */
struct kernel_events *kernel_events_new(struct samples *to, const struct read_options *options,
					const struct kernel_event_format *event_format);
void kernel_events_free(struct kernel_events *k); /* NULL is fine */

/* Adds an event; false when an error was reported. */
MUST_CHECK bool kernel_events_add(struct kernel_events *k, const struct kernel_event *e);

/* The following add events whose names a tool has translated; false when an error was reported. */

/* `e->name` is the bare name of the call; empty at the end: that of the open call. */
MUST_CHECK bool kernel_events_syscall(struct kernel_events *k, const struct kernel_event *e,
				      bool enter);
MUST_CHECK bool kernel_events_lock(struct kernel_events *k, const struct kernel_event *e,
				   const struct kernel_lock *lock, bool begin);
/* Calls of a thread that nest; `e->layer` is their layer.  An empty name ends the innermost. */
MUST_CHECK bool kernel_events_call(struct kernel_events *k, const struct kernel_event *e,
				   struct str name, bool begin);
MUST_CHECK bool kernel_events_change(struct kernel_events *k, const struct kernel_event *e,
				     const struct kernel_switch *change);
/* A line of the function graph; arguments as in call_graph_add(). */
MUST_CHECK bool kernel_events_graph(struct kernel_events *k, struct pairing_slot task,
				    struct str duration, struct str text,
				    const struct call_time *at);
void kernel_events_other(struct kernel_events *k,
			 struct str name); /* an event that makes no latency */
/* Gives up open calls, as events are missing here.  `n`: number of lost events, for the graph's
 * sink. */
void kernel_events_lost(struct kernel_events *k, uint64_t n);

/* Pushes which operation calls which; call it before the samples are pushed. */
void kernel_events_push_nests(struct kernel_events *k, struct builder *to);
/* At the end of the trace: notes what was left out, and leaves open calls for the next piece. */
void kernel_events_report(struct kernel_events *k, struct input *in, struct diag *diag);

/* For latencies in ns from times in whole microseconds. */
extern const struct accumulator_options kernel_sampling_us;
enum { KERNEL_MICROSECONDS = 1000 }; /* their granularity in ns */

#endif
