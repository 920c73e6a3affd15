/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How a watch gets on, in one line of JSON (osprof.watch-status/1) beside the intervals that it
 * keeps: for whoever looks at the folder.  No reader depends on it: it may be missing, old, or
 * somebody else's.
 */
#ifndef WATCH_STATUS_H
#define WATCH_STATUS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"

struct out;

#define WATCH_STATUS_NAME ".osprof-status"

/* Counts are since the watch began. */
struct watch_status {
	bool watching; /* it has not ended */
	double time;   /* when this was written, seconds since 1970 */
	double every;  /* seconds of an interval */
	double end;    /* of the last interval, seconds since 1970; NAN: none has ended */
	uint64_t intervals, incomplete, unkept;
	uint64_t alarms, active; /* active: that are not over */
	uint64_t lost;		 /* events that collectors lost */
	uint64_t refused;	 /* lines, frames that were not read */
	uint64_t gaps;		 /* times that an unknown number of calls was lost */
	uint64_t dropped;	 /* bytes */
	uint64_t late;		 /* profiles of intervals that had ended */
	uint64_t sources, waiting, failed;
};

/* Prints the line of JSON. */
void watch_status_print(struct out *o, const struct watch_status *s);
/* Reads that of a folder.  False: there is none that can be read and believed, as one of a later
 * version, or of a user whose folder it is not. */
MUST_CHECK bool watch_status_read(const char *folder, struct watch_status *ret);

/* Prints how old the last interval is, and what is wrong, the most important first:
 * "12 s ago", then `between`, "1 alarm", `between`, "340 events lost".  `now` is in seconds since
 * 1970. */
void watch_status_say(struct out *o, const struct watch_status *s, double now, const char *between);

#endif
