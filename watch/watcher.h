/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Intervals one after the other: added up from what sources give, judged, stored, reported.
 *
 * It knows no clock and no descriptor: a loop (watch/loop.h) says when an interval ends, or a
 * folder is replayed.
 */
#ifndef WATCH_WATCHER_H
#define WATCH_WATCHER_H

#include "analyze/watch.h"
#include "watch/source_status.h"
#include "watch/store.h"

struct forwarded;
struct out;

/* How intervals are made and judged; borrowed. */
struct watcher_options {
	struct watch_rules rules;
	double every;	 /* seconds of an interval */
	double lateness; /* >= 0: intervals are those that calls began in, and end so much later;
			  * < 0: those that they arrive in */
	struct store *store;  /* borrowed; NULL: nothing is kept */
	const char *textfile; /* for Prometheus; NULL: none */
	bool json;
	const char *version;
	/* Called with each interval that ends; NULL: nothing is. */
	void (*each)(void *ctx, const struct profile *p, struct span span);
	/* Called with each alarm; NULL: nothing is. */
	void (*alarm)(void *ctx, const struct watch_event *e, double time);
	void *each_ctx; /* of both */
};

/* Called with each alarm, as a line of JSON; `ctx` is that of watcher_new(). */
typedef void alarm_hook(void *ctx, struct str json);

struct watcher;

/* A watcher that prints to `out` and calls the hook for each alarm; watcher_free() frees it. */
struct watcher *watcher_new(const struct watcher_options *options, struct out *out,
			    struct diag *diag, alarm_hook *hook, void *ctx);
void watcher_free(struct watcher *w); /* NULL is fine */

/* Judges what a folder holds before anything is reported; frozen: it stays the reference.  False
 * when an error was reported. */
MUST_CHECK bool watcher_learn(struct watcher *w, const char *folder, bool frozen);
/* Judges and reports the intervals of a folder as if they came now; *ret_n: how many there were. */
MUST_CHECK bool watcher_replay(struct watcher *w, const char *folder, size_t *ret_n,
			       double *ret_seconds);
/* What is said before the first interval. */
void watcher_begin(struct watcher *w, const struct source_status *source, size_t n);

/* Takes over the profile; false when it does not fit what is there: it is reported why. */
bool watcher_add(struct watcher *w, struct profile *p);
/* By when calls began: what arrived in this time and does not say when it began counts in the
 * interval in which this ends; what does not fit there is reported, and left out. */
void watcher_place_untimed(struct watcher *w, struct span arrived);
/* By when calls began: ends the intervals that are complete. */
void watcher_advance(struct watcher *w, const struct source_status *source, size_t n);
/* By when they arrived: what came since the last one.  Of one that is no whole interval, or in
 * which the clock was set, nothing is judged. */
void watcher_end_interval(struct watcher *w, struct span span, bool whole,
			  const struct source_status *source, size_t n);
/* All that is open ends. */
void watcher_end(struct watcher *w, struct span span, const struct source_status *source, size_t n);
/* What is said last; `forwarded` is NULL where nothing is. */
void watcher_finish(struct watcher *w, const struct source_status *source, size_t n,
		    const struct forwarded *forwarded);

struct reported_rate;
/* Notes how many alarms a replay raised. */
void watcher_rate(struct watcher *w, const struct reported_rate *r);
struct reported_zoom;
/* Notes what came of per-call records. */
void watcher_zoom(struct watcher *w, const struct reported_zoom *z);
/* Notes what happened to a source. */
void watcher_source(struct watcher *w, double time, const struct source_status *source,
		    const char *message);

struct watch_status;
/* Fills in what it counts itself. */
void watcher_status(const struct watcher *w, struct watch_status *ret);
/* The number of intervals so far whose load was new, so that they were not judged. */
uint64_t watcher_new_load(const struct watcher *w);
/* The number of alarms so far. */
uint64_t watcher_alarms(const struct watcher *w);
bool watcher_failed(const struct watcher *w); /* something could not be written */
bool watcher_kept(const struct watcher *w);   /* the last interval was, or is to be kept nowhere */

#endif
