/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Events of the kernel's tracepoints into latencies, whoever prints them: how fields are
 * read is the reader's `struct kernel_event_format`.
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
 *	layer kvm	kvm_exit to kvm_entry of a thread, which is a VCPU: how long its
 *			machine was left, named by the reason, as perf kvm stat has it;
 *			and `guest` from kvm_entry to kvm_exit
 *	layer function	funcgraph_entry and funcgraph_exit of trace-cmd
 *	layer event	any other pair X_entry, X_enter, X_start, X_begin to X_exit,
 *			X_end or X_done of a thread
 *
 * An event that needs a thread, where none is known, is left out; a note gives their number.
 */
#ifndef FORMATS_TRACING_KERNEL_EVENTS_H
#define FORMATS_TRACING_KERNEL_EVENTS_H

#include "formats/samples.h"
#include "profile/call_sink.h"

struct ctf_group;

/* One event of a tracepoint, as a reader passes it on; strings are borrowed. */
struct kernel_event {
	struct str name;	       /* without its subsystem */
	struct str fields;	       /* what stands after its colon */
	const struct ctf_group *group; /* in their place for kernel_ctf */
	struct str layer;	       /* of pairs that are not the kernel's own; empty: event */
	uint64_t tid, cpu;
	uint64_t host;	   /* of several: stands in the upper halves of tid and cpu, too */
	bool threadless;   /* which thread is not known */
	struct decimal at; /* nanoseconds */
};

/* What block_rq_issue and block_rq_complete are matched by, and the request's kind. */
struct kernel_request {
	uint64_t device, sector;
	struct str kind;
};

/* sched_switch: one thread off a processor, one on. */
struct kernel_change {
	uint64_t out, in;
	bool preempted; /* the former could go on */
};

/* A lock that a thread contends for. */
struct kernel_lock {
	struct str lock, kind;
	bool again; /* who waits says so twice, and ends once */
};

/* The kernel's LCB_F_ flags of contention_begin. */
enum {
	LOCK_SPIN = 1,
	LOCK_READ = 2,
	LOCK_WRITE = 4,
	LOCK_RT = 8,
	LOCK_PERCPU = 16,
	LOCK_MUTEX = 32,
};

/* What perf lock calls a lock with these flags; `printed` where it has no word. */
struct str kernel_lock_kind(uint64_t flags, struct str printed);

/* Fields of an event, as a tool prints them.  What asks gets false, or an empty name, where
 * they are not there. */
struct kernel_event_format {
	/* Of a sys_enter or sys_exit: the call's number. */
	struct str (*syscall)(const struct kernel_event *e);
	struct str (*irq)(const struct kernel_event *e);
	struct str (*softirq)(const struct kernel_event *e);
	struct str (*vm_exit)(const struct kernel_event *e); /* why a machine was left */
	bool (*request)(const struct kernel_event *e, struct input *in, struct kernel_request *ret);
	bool (*change)(const struct kernel_event *e, struct input *in, struct kernel_change *ret);
	bool (*woken)(const struct kernel_event *e, struct input *in, uint64_t *ret_tid);
	bool (*lock)(const struct kernel_event *e, struct input *in, struct kernel_lock *ret);
};

struct kernel_events;

/* `output_format` may be NULL where there is no kernel_events_add(). */
struct kernel_events *kernel_events_new(struct samples *to, const struct read_options *options,
					const struct kernel_event_format *output_format);
void kernel_events_free(struct kernel_events *k); /* NULL is fine */

/* False when an error was reported. */
MUST_CHECK bool kernel_events_add(struct kernel_events *k, const struct kernel_event *e);

/* The same for events that have names of their own with a tool. */

/* `e->name` is the call's bare name; empty at its end: the one that is open. */
MUST_CHECK bool kernel_events_syscall(struct kernel_events *k, const struct kernel_event *e,
				      bool enter);
MUST_CHECK bool kernel_events_lock(struct kernel_events *k, const struct kernel_event *e,
				   const struct kernel_lock *lock, bool begin);
/* Calls of a thread that lie within one another, `e->layer` its own; an empty name ends the
 * innermost one. */
MUST_CHECK bool kernel_events_call(struct kernel_events *k, const struct kernel_event *e,
				   struct str name, bool begin);
MUST_CHECK bool kernel_events_change(struct kernel_events *k, const struct kernel_event *e,
				     const struct kernel_change *change);
/* A line of the function graph, as of call_graph_add(). */
MUST_CHECK bool kernel_events_graph(struct kernel_events *k, struct pairing_slot task,
				    struct str duration, struct str text,
				    const struct call_time *at);
void kernel_events_other(struct kernel_events *k, struct str name); /* it makes no latency */
/* Events are missing here: open calls are given up.  `n`: those of the graph, for its sink. */
void kernel_events_lost(struct kernel_events *k, uint64_t n);

/* What calls what, before the samples are pushed. */
void kernel_events_push_nests(struct kernel_events *k, struct builder *to);
/* At the end of the trace: notes what was left out, and leaves what is open for its next piece. */
void kernel_events_report(struct kernel_events *k, struct input *in, struct diag *diag);

/* Samples in ns of events whose times are whole microseconds. */
extern const struct accumulator_options kernel_sampling_us;
enum { KERNEL_MICROSECONDS = 1000 }; /* their granularity */

#endif
