/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When tasks run, wait and sleep, out of the scheduler's events: for
 * formats/kernel_events.c alone. */
#ifndef FORMATS_KERNEL_TASKS_H
#define FORMATS_KERNEL_TASKS_H

#include "formats/kernel_events.h"

struct kernel_tasks;

struct kernel_tasks *kernel_tasks_new(struct samples *to);
void kernel_tasks_free(struct kernel_tasks *t);

/* *ret_done: it was sched_switch, sched_wakeup or the like.  False when an error was reported. */
MUST_CHECK bool kernel_tasks_add(struct kernel_tasks *t, const struct kernel_event *e,
				 bool *ret_done);
void kernel_tasks_forget(struct kernel_tasks *t); /* events are missing here */

#endif
