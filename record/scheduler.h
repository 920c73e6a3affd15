/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the settings of this machine's scheduler. */
#ifndef RECORD_SCHEDULER_H
#define RECORD_SCHEDULER_H

#include "analyze/calls/preempt.h"
#include "base/str.h"

struct arena;

/* Reads Linux' files below `root` ("" outside of tests): /proc/self/sched,
 * /sys/kernel/debug/sched, /proc/sys/kernel, and the configuration of kernel `release`.
 * Settings that cannot be read are 0. */
struct scheduler_settings scheduler_read(struct arena *a, const char *root, const char *release);

/* Returns "slice 1.4 ms, tick 4 ms". */
struct str scheduler_words(struct arena *a, const struct scheduler_settings *s);

#endif
