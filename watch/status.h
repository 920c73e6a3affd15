/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The status of a watch, one line of JSON (osprof.watch-status/1) in its folder of intervals.
 *
 * It is informative only: it may be missing, outdated, or written by another user.
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
	bool watching; /* the watch runs */
	double time;   /* of this status, seconds since 1970 */
	double every;  /* seconds of an interval */
	double end;    /* of the last interval, seconds since 1970; NAN: none has ended */
	uint64_t intervals, incomplete, unkept;
	uint64_t alarms, active; /* active: not resolved */
	uint64_t lost;		 /* events lost by collectors */
	uint64_t refused;	 /* lines and frames that could not be read */
	uint64_t gaps;		 /* times that an unknown number of calls was lost */
	uint64_t dropped;	 /* bytes */
	uint64_t late;		 /* profiles of intervals that had ended */
	uint64_t sources, waiting, failed;
};

/* Prints the line of JSON. */
void watch_status_print(struct out *o, const struct watch_status *s);
/* Reads the status of a folder.  False: there is none, it is of a later version, or it belongs to a
 * user who does not own the folder. */
MUST_CHECK bool watch_status_read(const char *folder, struct watch_status *ret);

/* Prints the age of the last interval and the problems, most important first, with `between`
 * between them: "12 s ago", "1 alarm", "340 events lost".  `now` is in seconds since 1970. */
void watch_status_say(struct out *o, const struct watch_status *s, double now, const char *between);

#endif
