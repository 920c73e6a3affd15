/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernel's events as babeltrace prints them: `fields` is the event's own group, as
 * formats/tracing/ctf_line.h gives it; of LTTng's tracer, or of perf data convert --to-ctf. */
#ifndef FORMATS_TRACING_CTF_KERNEL_H
#define FORMATS_TRACING_CTF_KERNEL_H

#include "formats/tracing/kernel_events.h"

extern const struct kernel_event_format kernel_ctf;

/* The processor or thread n of a host. */
uint64_t ctf_of_host(uint64_t host, uint64_t n);

#endif
