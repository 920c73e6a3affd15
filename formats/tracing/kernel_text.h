/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernel's events as tracefs, trace-cmd and perf script print them: their fields are
 * those of the tracepoint's own format, their time stands before the event. */
#ifndef FORMATS_TRACING_KERNEL_TEXT_H
#define FORMATS_TRACING_KERNEL_TEXT_H

#include "formats/tracing/kernel_events.h"

extern const struct kernel_event_format kernel_text;

/* Splits a line at a time, "12155.836559: ", of which a task's name may be one, too:
 * the next from *at on, which moves past it.  What stands before and after it, the
 * time in nanoseconds, and how many digits it has after the point, 6 or 9. */
bool kernel_split(struct str line, size_t *at, struct decimal *ret_ns, size_t *ret_digits,
		  struct str *ret_front, struct str *ret_back);

#endif
