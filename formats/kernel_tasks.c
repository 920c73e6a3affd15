/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/kernel_tasks.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/scan.h"

enum where { NOWHERE, ON_CPU, OFF_CPU };

struct task {
	uint64_t tid;
	enum where where;
	bool queued;		     /* OFF_CPU: it could run */
	struct decimal since, ready; /* on or off; queued */
	UT_hash_handle hh;
};

struct kernel_tasks {
	struct samples *to;
	struct arena *arena;
	struct task *task;
};

struct kernel_tasks *kernel_tasks_new(struct samples *to)
{
	struct kernel_tasks *t = xcalloc(1, sizeof(*t));

	t->to = to;
	t->arena = arena_new();
	return t;
}

void kernel_tasks_free(struct kernel_tasks *t)
{
	HASH_CLEAR(hh, t->task);
	arena_free(t->arena);
	free(t);
}

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

static bool add(struct kernel_tasks *t, struct str name, struct decimal since,
		const struct kernel_event *e)
{
	struct sample sample = {
		.layer = STR("sched"), .name = name, .start = since, .where = e->name
	};

	sample.latency.billionths = e->at.billionths - since.billionths;
	return samples_add(t->to, &sample, e->name, e->name);
}

static bool switch_out(struct kernel_tasks *t, uint64_t tid, bool preempted,
		       const struct kernel_event *e)
{
	struct task *task = find_task(t, tid);

	if (task->where == ON_CPU && !add(t, STR("on-cpu"), task->since, e))
		return false;
	task->where = OFF_CPU;
	task->since = task->ready = e->at;
	task->queued = preempted;
	return true;
}

static bool switch_in(struct kernel_tasks *t, uint64_t tid, const struct kernel_event *e)
{
	struct task *task = find_task(t, tid);

	if (task->where == OFF_CPU && !add(t, STR("off-cpu"), task->since, e))
		return false;
	if (task->queued && !add(t, STR("run queue"), task->ready, e))
		return false;
	task->where = ON_CPU;
	task->since = e->at;
	task->queued = false;
	return true;
}

static void wake_up(struct kernel_tasks *t, uint64_t tid, const struct kernel_event *e)
{
	struct task *task = find_task(t, tid);

	if (task->where == ON_CPU || task->queued)
		return;
	task->queued = true;
	task->ready = e->at;
}

/* --- fields -------------------------------------------------------------------- */

/* The number behind the last `key`: a task's name, which stands before it, may hold
 * anything. */
static bool number_behind(struct input *in, struct str s, struct str key, uint64_t *ret)
{
	size_t at = str_find_last(s, key);
	struct cursor c = cursor_at(in, str_skip(s, at + key.n));

	return at < s.n && scan_u64(&c, ret);
}

/* "bash:3164 [120] S", as the plugin of libtraceevent prints it. */
static bool short_task(struct input *in, struct str s, uint64_t *ret_tid, struct str *ret_rest)
{
	size_t bracket = str_find_last(s, STR(" ["));
	struct str before = { s.p, bracket };
	struct str rest = str_skip(s, bracket);

	*ret_rest = str_trim(str_skip(rest, str_find(rest, STR("]")) + 1));
	return bracket < s.n && number_behind(in, before, STR(":"), ret_tid);
}

struct change {
	uint64_t out, in;
	bool preempted;
};

/* "prev_comm=a prev_pid=1 prev_prio=120 prev_state=S ==> next_comm=b next_pid=2 ..." */
static bool parse_change(struct input *in, struct str fields, struct change *ret)
{
	size_t arrow = str_find_last(fields, STR(" ==> "));
	struct str before = { fields.p, arrow }, after = str_skip(fields, arrow + 5), state;
	size_t at = str_find_last(before, STR(" prev_state="));

	if (arrow == fields.n)
		return false;
	if (at < before.n) {
		state = str_skip(before, at + sizeof(" prev_state=") - 1);
		if (!number_behind(in, before, STR(" prev_pid="), &ret->out) ||
		    !number_behind(in, after, STR(" next_pid="), &ret->in))
			return false;
	} else if (!short_task(in, before, &ret->out, &state) ||
		   !short_task(in, after, &ret->in, &(struct str){ NULL, 0 })) {
		return false;
	}
	ret->preempted = str_has_prefix(state, STR("R"));
	return true;
}

static bool parse_woken(struct input *in, struct str fields, uint64_t *ret_tid)
{
	struct str rest;

	return number_behind(in, fields, STR(" pid="), ret_tid) ||
	       short_task(in, fields, ret_tid, &rest);
}

bool kernel_tasks_add(struct kernel_tasks *t, const struct kernel_event *e, bool *ret_done)
{
	struct change change;
	uint64_t tid;

	*ret_done = true;
	if (str_eq(e->name, STR("sched_switch"))) {
		if (!parse_change(t->to->in, e->fields, &change))
			return true;
		return (change.out == 0 || switch_out(t, change.out, change.preempted, e)) &&
		       (change.in == 0 || switch_in(t, change.in, e));
	}
	if (str_eq(e->name, STR("sched_wakeup")) || str_eq(e->name, STR("sched_wakeup_new"))) {
		if (parse_woken(t->to->in, e->fields, &tid) && tid != 0)
			wake_up(t, tid, e);
		return true;
	}
	/* It comes with a sched_wakeup of the same task. */
	*ret_done = str_eq(e->name, STR("sched_waking"));
	return true;
}
