/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When tasks run, wait and sleep, out of the scheduler's events: for
 * formats/tracing/kernel_events.c alone. */
#ifndef FORMATS_TRACING_KERNEL_TASKS_H
#define FORMATS_TRACING_KERNEL_TASKS_H

#include "formats/carried.h"
#include "formats/tracing/kernel_events.h"

struct kernel_tasks;

/* No tasks yet. */
struct kernel_tasks *kernel_tasks_new(void);
/* The same of what was carried on from a piece of the trace to the next (formats/carried.h). */
extern const struct carried_class kernel_tasks_class;
void kernel_tasks_free(struct kernel_tasks *t); /* NULL is fine */

/* Samples what the tasks waited for.  Idle tasks are passed over.  `e` is when, and what is blamed.
 * False when an error was reported. */
MUST_CHECK bool kernel_tasks_change(struct kernel_tasks *t, struct samples *to,
				    const struct kernel_change *change,
				    const struct kernel_event *e);
void kernel_tasks_wake(struct kernel_tasks *t, uint64_t tid, struct decimal at);
void kernel_tasks_forget(struct kernel_tasks *t); /* events are missing here */

#endif
