/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * After an alarm the per-call records of its operation, for a while (--zoom): of formats of single
 * events those that are read from now on, of programs that `osprof record` runs those that they
 * leave records of when they are asked to.  Each source's go to a file of their own in the
 * folder `zoom` of the kept intervals; of sources that have no per-call records that is reported.
 */
#ifndef WATCH_ZOOM_H
#define WATCH_ZOOM_H

#include "analyze/watch.h"
#include "watch/source.h"

struct diag;
struct zoom;

/* How long, and into which folder of kept intervals; borrowed. */
struct zoom_options {
	double seconds;
	const char *keep;
	double max_bytes; /* of all files there; the oldest go */
};

/* Follows nothing yet; zoom_free() frees it. */
struct zoom *zoom_new(const struct zoom_options *options, struct sources *all, struct diag *diag);
void zoom_free(struct zoom *z); /* NULL is fine */
/* An alarm was raised.  One of an operation that is looked at already changes nothing. */
void zoom_alarm(struct zoom *z, const struct watch_event *e);
/* What there is is written. */
void zoom_end(struct zoom *z);
/* Whether something could not be written. */
bool zoom_failed(const struct zoom *z);

#endif
