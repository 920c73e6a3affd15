/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds the kernel's part, as traced by bpftrace, to per-call records. */
#ifndef RECORD_KERNEL_CALLS_H
#define RECORD_KERNEL_CALLS_H

#include <stdint.h>

struct call_log;
struct osprof;

/* One moment on the clock of a profile, and on both clocks that bpftrace may use. */
struct instant {
	uint64_t counter, boot, monotonic;
};
struct instant instant_now(const struct osprof *p);

/* Finds the call that each line belongs to which collect/calls.bt printed between two instants, by
 * thread and time. Takes ownership of the text. */
void call_log_add_kernel(struct call_log *l, char *text, const struct instant between[2]);

#endif
