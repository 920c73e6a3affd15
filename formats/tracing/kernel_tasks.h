/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds when tasks run, wait and sleep from scheduler events.  For formats/tracing/kernel_events.c
 * only. */
#ifndef FORMATS_TRACING_KERNEL_TASKS_H
#define FORMATS_TRACING_KERNEL_TASKS_H

#include "formats/carried.h"
#include "formats/tracing/kernel_events.h"

struct kernel_tasks;

/* Starts without any task. */
struct kernel_tasks *kernel_tasks_new(void);
/* To carry them from one piece of the trace to the next (formats/carried.h). */
extern const struct carried_class kernel_tasks_class;
void kernel_tasks_free(struct kernel_tasks *t); /* NULL is fine */

/* Adds samples for what the two tasks did until now; ignores idle tasks.  `e` has the time, and is
 * what messages point at.  False when an error was reported. */
MUST_CHECK bool kernel_tasks_change(struct kernel_tasks *t, struct samples *to,
				    const struct kernel_switch *change,
				    const struct kernel_event *e);
void kernel_tasks_wake(struct kernel_tasks *t, uint64_t tid, struct decimal at);
void kernel_tasks_forget(
	struct kernel_tasks *t); /* Forgets what tasks are doing, as events are missing here. */

#endif
