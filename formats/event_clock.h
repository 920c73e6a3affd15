/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times to the nanosecond as tracers of events print them:
 *
 *	10:22:33.123456789, 2026-11-22 10:22:33.123456789, 1795315918.619205410
 *
 * Seconds since the epoch may have fewer digits after the point, which are nanoseconds all the
 * same: sysdig -t a prints 17052 of them as .17052.
 */
#ifndef FORMATS_EVENT_CLOCK_H
#define FORMATS_EVENT_CLOCK_H

#include "base/decimal.h"

/* Nanoseconds; *ret_of_day: of a time of day without its date. */
bool event_time(struct str time, struct decimal *ret_ns, bool *ret_of_day);

/* "2019-11-04T16:46:16.885+09:00" of RFC 3339, nanoseconds on the scale of times with a date. */
bool event_timestamp(struct str time, struct decimal *ret_ns);

/* "2026-11-22 12:14:05.169" at the beginning of s, whatever the zone after it, nanoseconds on the
 * same scale; the fraction may be missing.  How many bytes it takes; 0: none. */
size_t event_date_time(struct str s, struct decimal *ret_ns);

/* "22/Nov/2026:12:03:18.853" of logs of web servers, nanoseconds on the same scale. */
bool event_log_time(struct str time, struct decimal *ret_ns);

/* Times of one event after the other, {} at the beginning. */
struct event_clock {
	bool has_last;
	decimal_int last, days; /* billionths: the time before, and what midnights have passed */
};

/* How a time compares with the time of the event before it. */
enum event_order {
	EVENT_NO_TIME, /* it is none; nothing is returned */
	EVENT_FORTH,
	EVENT_BACK,	   /* before the time before */
	EVENT_BACK_OF_DAY, /* the same of a time of day, whose clock may have been set */
};

/* Of times of day the one after midnight is a day later. */
enum event_order event_clock_report(struct event_clock *c, struct str time, struct decimal *ret_ns);

#endif
