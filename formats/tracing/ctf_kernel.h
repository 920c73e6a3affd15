/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kernel events as babeltrace prints them, from LTTng's tracer or perf data convert --to-ctf.
 * kernel_event.group is the event's own group of formats/tracing/ctf_line.h. */
#ifndef FORMATS_TRACING_CTF_KERNEL_H
#define FORMATS_TRACING_CTF_KERNEL_H

#include "formats/tracing/kernel_events.h"

/* How babeltrace prints kernel events. */
extern const struct kernel_event_format kernel_ctf;

/* Returns a number for processor or thread n of a host that is unique over all hosts. */
uint64_t ctf_of_host(uint64_t host, uint64_t n);

#endif
