/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kernel events as tracefs, trace-cmd and perf script print them: fields in the tracepoint's own
 * format, after the time. */
#ifndef FORMATS_TRACING_KERNEL_TEXT_H
#define FORMATS_TRACING_KERNEL_TEXT_H

#include "formats/tracing/kernel_events.h"

/* How tracefs, trace-cmd and perf script print kernel events. */
extern const struct kernel_event_format kernel_text;

/* Splits a line at a time such as "12155.836559: ".  A task's name may look like one, so this finds
 * the next from *at on and moves *at past it.  Returns the text before and after, the time in
 * nanoseconds, and its digits after the point, 6 or 9. */
bool kernel_split(struct str line, size_t *at, struct decimal *ret_ns, size_t *ret_digits,
		  struct str *ret_front, struct str *ret_back);

#endif
