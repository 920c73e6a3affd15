/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/tracing/kernel_tasks.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/tables/hash.h"

enum where { NOWHERE, ON_CPU, OFF_CPU };

struct task {
	uint64_t tid;
	enum where where;
	bool queued;		     /* OFF_CPU: it is runnable */
	struct decimal since, ready; /* on or off the CPU; runnable */
	UT_hash_handle hh;
};

struct kernel_tasks {
	struct arena *arena;
	struct task *task;
};

struct kernel_tasks *kernel_tasks_new(void)
{
	struct kernel_tasks *t = xcalloc(1, sizeof(*t));

	t->arena = arena_new();
	return t;
}

void kernel_tasks_free(struct kernel_tasks *t)
{
	if (t == NULL)
		return;
	HASH_CLEAR(hh, t->task);
	arena_free(t->arena);
	free(t);
}

static void free_tasks(void *tasks)
{
	kernel_tasks_free(tasks);
}

/* Returns the mean time of the tasks' last switches. */
static decimal_int mean_since(const struct kernel_tasks *t)
{
	decimal_int sum = 0;

	for (const struct task *task = t->task; task != NULL; task = task->hh.next)
		sum += task->since.billionths / HASH_COUNT(t->task);
	return sum;
}

/* Nothing reports the end of a task: if there are many, drops those not seen for long. */
static void *copy_tasks(const void *tasks)
{
	enum { MANY = MAX_CARRIED / 2 };
	const struct kernel_tasks *t = tasks;
	struct kernel_tasks *copy = kernel_tasks_new();
	bool many = HASH_COUNT(t->task) > MANY;
	decimal_int min = many ? mean_since(t) : 0;

	for (const struct task *from = t->task; from != NULL; from = from->hh.next) {
		struct task *to;

		if (many && from->where != ON_CPU && from->since.billionths < min)
			continue;
		to = arena_make(copy->arena, struct task, 1);
		*to = *from;
		HASH_ADD(hh, copy->task, tid, sizeof(to->tid), to);
	}
	return copy;
}

static size_t n_tasks(const void *tasks)
{
	return HASH_COUNT(((const struct kernel_tasks *)tasks)->task);
}

const struct carried_class kernel_tasks_class = { copy_tasks, free_tasks, n_tasks };

void kernel_tasks_forget(struct kernel_tasks *t)
{
	for (struct task *task = t->task; task != NULL; task = task->hh.next) {
		task->where = NOWHERE;
		task->queued = false;
	}
}

static struct task *find_task(struct kernel_tasks *t, uint64_t tid)
{
	struct task *task;

	HASH_FIND(hh, t->task, &tid, sizeof(tid), task);
	if (task == NULL) {
		task = arena_make(t->arena, struct task, 1);
		task->tid = tid;
		HASH_ADD(hh, t->task, tid, sizeof(tid), task);
	}
	return task;
}

static bool add_wait(struct samples *to, struct str name, struct decimal since,
		     const struct kernel_event *e)
{
	struct sample sample = {
		.layer = STR("sched"), .name = name, .start = since, .timed = true, .where = e->name
	};

	sample.latency.billionths = e->at.billionths - since.billionths;
	return samples_add(to, &sample, e->name, e->name);
}

static bool switch_out(struct kernel_tasks *t, struct samples *to, uint64_t tid, bool preempted,
		       const struct kernel_event *e)
{
	struct task *task = find_task(t, tid);

	if (task->where == ON_CPU && !add_wait(to, STR("on-cpu"), task->since, e))
		return false;
	task->where = OFF_CPU;
	task->since = task->ready = e->at;
	task->queued = preempted;
	return true;
}

static bool switch_in(struct kernel_tasks *t, struct samples *to, uint64_t tid,
		      const struct kernel_event *e)
{
	struct task *task = find_task(t, tid);

	if (task->where == OFF_CPU && !add_wait(to, STR("off-cpu"), task->since, e))
		return false;
	if (task->queued && !add_wait(to, STR("run queue"), task->ready, e))
		return false;
	task->where = ON_CPU;
	task->since = e->at;
	task->queued = false;
	return true;
}

bool kernel_tasks_change(struct kernel_tasks *t, struct samples *to,
			 const struct kernel_switch *change, const struct kernel_event *e)
{
	return (change->out == 0 || switch_out(t, to, change->out, change->preempted, e)) &&
	       (change->in == 0 || switch_in(t, to, change->in, e));
}

void kernel_tasks_wake(struct kernel_tasks *t, uint64_t tid, struct decimal at)
{
	struct task *task = tid != 0 ? find_task(t, tid) : NULL;

	if (task == NULL || task->where == ON_CPU || task->queued)
		return;
	task->queued = true;
	task->ready = at;
}
