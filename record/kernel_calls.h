/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the kernel did within per-call records. */
#ifndef RECORD_KERNEL_CALLS_H
#define RECORD_KERNEL_CALLS_H

#include <stdint.h>

struct call_log;
struct osprof;

/* One moment by the clock of a profile, and by both that bpftrace may have. */
struct instant {
	uint64_t counter, boot, monotonic;
};
/* The same moment by both clocks. */
struct instant instant_now(const struct osprof *p);

/* Takes what collect/calls.bt printed between two instants, which is the log's from here
 * on, and finds the call that each line belongs to, by its thread and its time. */
void call_log_add_kernel(struct call_log *l, char *text, const struct instant between[2]);

#endif
