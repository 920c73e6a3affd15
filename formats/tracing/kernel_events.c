/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/tracing/kernel_events.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "formats/tracing/call_graph.h"
#include "formats/tracing/kernel_tasks.h"

/* What an open call in a thread's or processor's slot is. */
enum { OF_SYSCALL, OF_GRAPH, OF_GUEST, OF_EXIT };

/* The pairings of open calls; calls in PAIRS nest. */
enum { SYSCALLS, REQUESTS, LOCKS, MACHINES, PAIRS, N_PAIRINGS };

struct kernel_events {
	struct samples *to;
	const struct kernel_event_format *event_format;
	struct carried *carried; /* NULL: the trace is whole */
	struct pairing *open[N_PAIRINGS];
	struct call_graph graph;
	struct kernel_tasks *tasks;
	uint64_t n_threadless;	 /* events left out because their thread is unknown */
	uint64_t n_other;	 /* events that make no latency */
	struct str other;	 /* the name of the first of these */
	struct input other_line; /* and its line */
};

struct kernel_events *kernel_events_new(struct samples *to, const struct read_options *options,
					const struct kernel_event_format *event_format)
{
	struct kernel_events *k = xcalloc(1, sizeof(*k));

	k->to = to;
	k->event_format = event_format;
	k->carried = options->carried;
	for (size_t i = 0; i < N_PAIRINGS; i++)
		k->open[i] = call_pairs_begin(k->carried, (enum carried_part)(CARRIED_KERNEL + i),
					      i == PAIRS ? PAIRING_NESTED : PAIRING_SINGLE);
	k->tasks = carried_take(k->carried, CARRIED_TASKS);
	if (k->tasks == NULL)
		k->tasks = kernel_tasks_new();
	call_graph_start(&k->graph, to, options, STR("function"));
	return k;
}

void kernel_events_free(struct kernel_events *k)
{
	if (k == NULL)
		return;
	for (size_t i = 0; i < N_PAIRINGS; i++)
		pairing_free(k->open[i]);
	kernel_tasks_free(k->tasks);
	call_graph_release(&k->graph);
	input_release(&k->other_line);
	free(k);
}

void kernel_events_lost(struct kernel_events *k, uint64_t n)
{
	for (size_t i = 0; i < N_PAIRINGS; i++)
		pairing_forget_all(k->open[i]);
	call_output_lost(&k->graph.to, NULL, n);
	kernel_tasks_forget(k->tasks);
}

const struct accumulator_options kernel_sampling_us = { .unit = UNIT_NS,
							.unit_source = UNIT_STATED,
							.start_rate = 1e9,
							.granularity = KERNEL_MICROSECONDS };

/* --- pairs --------------------------------------------------------------------- */

/* FNV-1a (Fowler, Noll, Vo): gives pairs of different names different slots. */
static uint64_t hash_of(struct str s)
{
	uint64_t h = 0xcbf29ce484222325;

	for (size_t i = 0; i < s.n; i++)
		h = (h ^ (unsigned char)s.p[i]) * 0x100000001b3;
	return h;
}

/* The idle task of every processor is task 0. */
static struct pairing_slot task_slot(const struct kernel_event *e, unsigned of)
{
	return e->tid == 0 ? (struct pairing_slot){ e->cpu, UINT64_MAX - of }
			   : (struct pairing_slot){ e->tid, of };
}

/* Counts an event whose thread is unknown, which is then left out. */
static bool has_thread(struct kernel_events *k, const struct kernel_event *e)
{
	k->n_threadless += e->threadless;
	return !e->threadless;
}

static bool end_call(struct kernel_events *k, size_t which, struct pairing_slot slot,
		     struct str layer, struct str name, const struct kernel_event *e)
{
	struct sample sample = { .layer = layer, .timed = true };

	if (!pairing_end(k->open[which], slot, name, &sample.name, &sample.start))
		return true;
	sample.latency.billionths = e->at.billionths - sample.start.billionths;
	sample.where = e->name;
	return samples_add(k->to, &sample, e->name, e->name);
}

bool kernel_events_syscall(struct kernel_events *k, const struct kernel_event *e, bool enter)
{
	struct pairing_slot slot = task_slot(e, OF_SYSCALL);

	if (!has_thread(k, e))
		return true;
	if (!enter)
		return end_call(k, SYSCALLS, slot, STR("syscall"), e->name, e);
	pairing_begin(k->open[SYSCALLS], slot, e->name, e->at);
	return true;
}

static bool add_syscall(struct kernel_events *k, const struct kernel_event *e, bool enter)
{
	struct kernel_event bare = *e;
	struct str rest =
		str_skip(e->name, enter ? sizeof("sys_enter") - 1 : sizeof("sys_exit") - 1);

	bare.name = rest.n > 0 ? str_skip(rest, 1) : k->event_format->syscall(e);
	return bare.name.n == 0 || kernel_events_syscall(k, &bare, enter);
}

static bool add_request(struct kernel_events *k, const struct kernel_event *e, bool issue)
{
	struct kernel_request request;
	struct pairing_slot slot;

	if (!k->event_format->request(e, k->to->in, &request))
		return true;
	slot = (struct pairing_slot){ request.device, request.sector };
	if (!issue)
		return end_call(k, REQUESTS, slot, STR("block"), STR(""), e);
	pairing_begin(k->open[REQUESTS], slot, request.kind, e->at);
	return true;
}

struct str kernel_lock_kind(uint64_t flags, struct str printed)
{
	static const struct {
		uint64_t flags;
		const char *kind;
	} kinds[] = {
		{ LOCK_SPIN, "spinlock" },
		{ LOCK_SPIN | LOCK_READ, "rwlock:R" },
		{ LOCK_SPIN | LOCK_WRITE, "rwlock:W" },
		{ LOCK_READ, "rwsem:R" },
		{ LOCK_WRITE, "rwsem:W" },
		{ LOCK_RT, "rt-mutex" },
		{ LOCK_READ | LOCK_RT, "rwlock-rt:R" },
		{ LOCK_WRITE | LOCK_RT, "rwlock-rt:W" },
		{ LOCK_READ | LOCK_PERCPU, "pcpu-sem:R" },
		{ LOCK_WRITE | LOCK_PERCPU, "pcpu-sem:W" },
		{ LOCK_MUTEX, "mutex" },
		{ LOCK_SPIN | LOCK_MUTEX, "mutex" },
		{ 0, "semaphore" },
	};

	for (size_t i = 0; i < COUNT_OF(kinds); i++) {
		if (flags == kinds[i].flags)
			return str_from(kinds[i].kind);
	}
	return printed;
}

bool kernel_events_lock(struct kernel_events *k, const struct kernel_event *e,
			const struct kernel_lock *lock, bool begin)
{
	struct pairing_slot slot = task_slot(e, 0);

	if (!has_thread(k, e))
		return true;
	slot.what ^= hash_of(lock->lock);
	if (!begin)
		return end_call(k, LOCKS, slot, STR("lock"), STR(""), e);
	if (!lock->again || !pairing_is_open(k->open[LOCKS], slot, STR("")))
		pairing_begin(k->open[LOCKS], slot, lock->kind, e->at);
	return true;
}

bool kernel_events_call(struct kernel_events *k, const struct kernel_event *e, struct str name,
			bool begin)
{
	struct pairing_slot slot = task_slot(e, 0);

	if (!has_thread(k, e))
		return true;
	slot.what ^= hash_of(e->layer);
	if (!begin)
		return end_call(k, PAIRS, slot, e->layer, name, e);
	pairing_begin(k->open[PAIRS], slot, name, e->at);
	return true;
}

/* An interrupt stays on its processor until it ends. */
static bool add_interrupt(struct kernel_events *k, const struct kernel_event *e, struct str layer,
			  struct str name, bool begin)
{
	struct pairing_slot slot = { e->cpu, hash_of(layer) };

	if (!begin)
		return end_call(k, PAIRS, slot, layer, STR(""), e);
	pairing_begin(k->open[PAIRS], slot, name.n > 0 ? name : layer, e->at);
	return true;
}

static bool add_pair(struct kernel_events *k, const struct kernel_event *e, struct str stem,
		     bool begin)
{
	struct pairing_slot slot = task_slot(e, 0);
	struct str layer = e->layer.n > 0 ? e->layer : STR("event");

	if (!has_thread(k, e))
		return true;
	slot.what ^= hash_of(layer) ^ hash_of(stem);
	if (!begin)
		return end_call(k, PAIRS, slot, layer, STR(""), e);
	pairing_begin(k->open[PAIRS], slot, stem, e->at);
	return true;
}

/* A VCPU is inside or outside its guest: the end of one begins the other. */
static bool add_vm_change(struct kernel_events *k, const struct kernel_event *e, bool exit)
{
	struct pairing_slot guest = task_slot(e, OF_GUEST), left = task_slot(e, OF_EXIT);
	struct str layer = STR("kvm"), reason;

	if (!has_thread(k, e))
		return true;
	if (!exit) {
		pairing_begin(k->open[MACHINES], guest, STR("guest"), e->at);
		return end_call(k, MACHINES, left, layer, STR(""), e);
	}
	reason = k->event_format->vm_exit(e);
	pairing_begin(k->open[MACHINES], left, reason.n > 0 ? reason : STR("exit"), e->at);
	return end_call(k, MACHINES, guest, layer, STR(""), e);
}

/* Returns whether a name is one of a pair, and its stem.  A timer's start has no matching end. */
static bool pair_stem(struct str name, struct str *ret_stem, bool *ret_begin)
{
	static const struct {
		struct str suffix;
		bool begin;
	} suffixes[] = {
		{ STR_INIT("_entry"), true }, { STR_INIT("_enter"), true },
		{ STR_INIT("_start"), true }, { STR_INIT("_begin"), true },
		{ STR_INIT("_exit"), false }, { STR_INIT("_end"), false },
		{ STR_INIT("_done"), false },
	};

	if (str_has_suffix(name, STR("timer_start")))
		return false;
	for (size_t i = 0; i < COUNT_OF(suffixes); i++) {
		if (!str_has_suffix(name, suffixes[i].suffix) || name.n == suffixes[i].suffix.n)
			continue;
		*ret_stem = (struct str){ name.p, name.n - suffixes[i].suffix.n };
		*ret_begin = suffixes[i].begin;
		return true;
	}
	return false;
}

/* --- events -------------------------------------------------------------------- */

static bool add_graph(struct kernel_events *k, const struct kernel_event *e)
{
	struct str duration, text;
	struct call_time at;

	return !str_cut(e->fields, '|', &duration, &text) || !call_time_from(e->at, &at) ||
	       call_graph_add(&k->graph, task_slot(e, OF_GRAPH), duration, text, &at);
}

bool kernel_events_graph(struct kernel_events *k, struct pairing_slot task, struct str duration,
			 struct str text, const struct call_time *at)
{
	return call_graph_add(&k->graph, task, duration, text, at);
}

bool kernel_events_change(struct kernel_events *k, const struct kernel_event *e,
			  const struct kernel_switch *change)
{
	return kernel_tasks_change(k->tasks, k->to, change, e);
}

/* Handles scheduler events; *ret_done: it was one. */
static bool add_scheduling(struct kernel_events *k, const struct kernel_event *e, bool *ret_done)
{
	struct kernel_switch change;
	uint64_t tid;

	*ret_done = true;
	if (str_eq(e->name, STR("sched_switch")))
		return !k->event_format->change(e, k->to->in, &change) ||
		       kernel_events_change(k, e, &change);
	if (str_eq(e->name, STR("sched_wakeup")) || str_eq(e->name, STR("sched_wakeup_new"))) {
		if (k->event_format->woken(e, k->to->in, &tid))
			kernel_tasks_wake(k->tasks, tid, e->at);
		return true;
	}
	/* A sched_wakeup of the same task follows. */
	*ret_done = str_eq(e->name, STR("sched_waking"));
	return true;
}

static bool add_contention(struct kernel_events *k, const struct kernel_event *e, bool begin)
{
	struct kernel_lock lock;

	return !k->event_format->lock(e, k->to->in, &lock) ||
	       kernel_events_lock(k, e, &lock, begin);
}

void kernel_events_other(struct kernel_events *k, struct str name)
{
	if (k->n_other++ == 0)
		k->other = input_keep_line(k->to->in, name, &k->other_line);
}

bool kernel_events_add(struct kernel_events *k, const struct kernel_event *e)
{
	static const struct {
		struct str name;
		bool (*add)(struct kernel_events *k, const struct kernel_event *e, bool begin);
		bool begin;
	} named[] = {
		{ STR_INIT("block_rq_issue"), add_request, true },
		{ STR_INIT("block_rq_complete"), add_request, false },
		{ STR_INIT("contention_begin"), add_contention, true },
		{ STR_INIT("contention_end"), add_contention, false },
		{ STR_INIT("kvm_entry"), add_vm_change, false },
		{ STR_INIT("kvm_x86_entry"), add_vm_change, false },
		{ STR_INIT("kvm_exit"), add_vm_change, true },
		{ STR_INIT("kvm_x86_exit"), add_vm_change, true },
	};
	bool begin, done = false;
	struct str stem;

	if (str_has_prefix(e->name, STR("sys_enter")))
		return add_syscall(k, e, true);
	if (str_has_prefix(e->name, STR("sys_exit")))
		return add_syscall(k, e, false);
	if (str_has_prefix(e->name, STR("sched_")) && !add_scheduling(k, e, &done))
		return false;
	if (done)
		return true;
	if (str_has_prefix(e->name, STR("funcgraph_")))
		return add_graph(k, e);
	for (size_t i = 0; i < COUNT_OF(named); i++) {
		if (str_eq(e->name, named[i].name))
			return named[i].add(k, e, named[i].begin);
	}
	if (pair_stem(e->name, &stem, &begin)) {
		if (str_eq(stem, STR("irq_handler")))
			return add_interrupt(k, e, STR("irq"), k->event_format->irq(e), begin);
		if (str_eq(stem, STR("softirq")))
			return add_interrupt(k, e, STR("softirq"), k->event_format->softirq(e),
					     begin);
		return add_pair(k, e, stem, begin);
	}
	kernel_events_other(k, e->name);
	return true;
}

void kernel_events_push_nests(struct kernel_events *k, struct builder *to)
{
	call_output_push_nests(&k->graph.to, to);
}

void kernel_events_report(struct kernel_events *k, struct input *in, struct diag *diag)
{
	for (size_t i = 0; i < N_PAIRINGS; i++)
		call_pairs_end(&k->open[i], k->carried, (enum carried_part)(CARRIED_KERNEL + i), in,
			       diag);
	if (k->carried != NULL) {
		carried_leave(k->carried, CARRIED_TASKS, &kernel_tasks_class, k->tasks);
		k->tasks = NULL;
	}
	call_output_report(&k->graph.to, in, diag);
	if (k->n_threadless > 0)
		diag_file(diag, DIAG_UNMATCHED_EVENTS, in,
			  "%llu event%s of threads that nothing names, left out: record "
			  "sched_switch, or the context tid or vtid",
			  (unsigned long long)k->n_threadless, k->n_threadless == 1 ? "" : "s");
	if (k->n_other > 0)
		diag_part(diag, DIAG_NOT_A_HISTOGRAM, &k->other_line, k->other,
			  "%llu event%s that neither begin nor end anything",
			  (unsigned long long)k->n_other, k->n_other == 1 ? "" : "s");
}
