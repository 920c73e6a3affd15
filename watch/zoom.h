/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --zoom: after an alarm, writes the per-call records of its operation for a while.
 *
 * Sources with an event a line are recorded as they are read; programs under `osprof record` are
 * asked to record per-call records.  Each source has a file of its own in the folder `zoom` of the
 * kept intervals.  A source that has no per-call records is reported.
 */
#ifndef WATCH_ZOOM_H
#define WATCH_ZOOM_H

#include "analyze/watch/watch.h"
#include "watch/sources/source.h"

struct diag;
struct zoom;

/* Pointers are borrowed. */
struct zoom_options {
	double seconds;
	const char *keep;
	double max_bytes; /* of all files in it; the oldest are removed */
};

/* Returns a zoom without alarms; zoom_free() frees it. */
struct zoom *zoom_new(const struct zoom_options *options, struct sources *all, struct diag *diag);
void zoom_free(struct zoom *z); /* NULL is fine */
/* Starts recording after an alarm, unless its operation is being recorded already. */
void zoom_alarm(struct zoom *z, const struct watch_event *e);
/* Ends all recordings and writes what they have. */
void zoom_end(struct zoom *z);
/* Whether a file could not be written. */
bool zoom_failed(const struct zoom *z);

#endif
