/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What this machine's kernel says of its scheduler. */
#ifndef RECORD_SCHEDULER_H
#define RECORD_SCHEDULER_H

#include "analyze/preempt.h"
#include "base/str.h"

struct arena;

/* From the files of Linux below `root` ("" outside of tests): /proc/self/sched,
 * /sys/kernel/debug/sched, /proc/sys/kernel, and the configuration of the kernel named
 * `release`. What cannot be read is 0. */
struct scheduler_settings scheduler_read(struct arena *a, const char *root, const char *release);

/* "slice 1.4 ms, tick 4 ms". */
struct str scheduler_words(struct arena *a, const struct scheduler_settings *s);

#endif
