/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times with nanoseconds as event tracers print them:
 *
 * 	10:22:33.123456789, 2026-11-22 10:22:33.123456789, 1795315918.619205410
 *
 * Seconds since the epoch may have fewer than nine digits after the point, but they are a number of
 * nanoseconds all the same: sysdig -t a prints 17052 ns as .17052. */
#ifndef FORMATS_EVENT_CLOCK_H
#define FORMATS_EVENT_CLOCK_H

#include "base/decimal.h"

/* Returns nanoseconds; *ret_of_day: it is a time of day without a date. */
bool event_time(struct str time, struct decimal *ret_ns, bool *ret_of_day);

/* Parses an RFC 3339 timestamp, "2019-11-04T16:46:16.885+09:00", into nanoseconds on the scale of
 * times with a date. */
bool event_timestamp(struct str time, struct decimal *ret_ns);

/* Parses "2026-11-22 12:14:05.169" at the beginning of s into nanoseconds on the same scale,
 * ignoring any time zone; the fraction is optional.  Returns the number of bytes it takes; 0: no
 * time. */
size_t event_date_time(struct str s, struct decimal *ret_ns);

/* Parses "22/Nov/2026:12:03:18.853" from web server logs into nanoseconds on the same scale. */
bool event_log_time(struct str time, struct decimal *ret_ns);

/* Follows the times of successive events; {} at the beginning. */
struct event_clock {
	bool has_last;
	decimal_int last, days; /* in billionths of a ns: the previous time; the sum of the
				   midnights passed */
};

/* How a time compares with the time of the event before it. */
enum event_order {
	EVENT_NO_TIME, /* not a time; nothing is returned */
	EVENT_FORTH,
	EVENT_BACK,	   /* before the previous event */
	EVENT_BACK_OF_DAY, /* the same for a time of day, whose clock may have been set back */
};

/* Parses a time.  A time of day more than half a day before the previous one is of the next day. */
enum event_order event_clock_next(struct event_clock *c, struct str time, struct decimal *ret_ns);

#endif
