/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Adds up the profiles of sources to intervals, and judges, stores and reports each.
 *
 * It has no clock and no descriptors: watch/live.c says when an interval ends, or a folder is
 * replayed.
 */
#ifndef WATCH_WATCHER_H
#define WATCH_WATCHER_H

#include "analyze/watch/watch.h"
#include "watch/sources/source_status.h"
#include "watch/store/store.h"

struct forwarded;
struct out;

/* How intervals are made and judged.  All pointers are borrowed. */
struct watcher_options {
	struct watch_rules rules;
	double every;	      /* seconds of an interval */
	double lateness;      /* >= 0: calls count in the interval they began in, which ends so much
				 later; < 0: in the interval they arrive in */
	struct store *store;  /* borrowed; NULL: nothing is kept */
	const char *textfile; /* for Prometheus; NULL: none */
	bool json;
	bool markdown; /* of a replay */
	const char *version;
	/* Called with each interval that ends; NULL: none. */
	void (*each)(void *ctx, const struct profile *p, struct span span);
	/* Called with each alarm; NULL: none. */
	void (*alarm)(void *ctx, const struct watch_event *e, double time);
	void *each_ctx; /* of each() and alarm() */
};

/* Receives each alarm as a line of JSON. `ctx` is that of watcher_new(). */
typedef void alarm_hook(void *ctx, struct str json);

struct watcher;

/* Returns a watcher that prints to `out` and calls the hook for each alarm; watcher_free() frees
 * it. */
struct watcher *watcher_new(const struct watcher_options *options, struct out *out,
			    struct diag *diag, alarm_hook *hook, void *ctx);
void watcher_free(struct watcher *w); /* NULL is fine */

/* Takes the intervals of a folder as reference, and reports nothing of them.  `frozen`: they remain
 * the reference.  False: an error was reported. */
MUST_CHECK bool watcher_learn(struct watcher *w, const char *folder, bool frozen);
/* Judges and reports the intervals of a folder as if they ended now.  *ret_n: their number. */
MUST_CHECK bool watcher_replay(struct watcher *w, const char *folder, size_t *ret_n,
			       double *ret_seconds);
/* Reports the start, before the first interval. */
void watcher_begin(struct watcher *w, const struct source_status *source, size_t n);

/* Adds a profile and takes ownership of it.  False: it cannot be merged, and this was reported. */
bool watcher_add(struct watcher *w, struct profile *p);
/* With lateness >= 0: puts calls without a start time, which arrived in this span, into the
 * interval in which the span ends.  What cannot be merged is reported and left out. */
void watcher_place_untimed(struct watcher *w, struct span arrived);
/* With lateness >= 0: ends the intervals that are complete. */
void watcher_advance(struct watcher *w, const struct source_status *source, size_t n);
/* With lateness < 0: ends the interval.  `whole`: it has its full length and the clock was not set;
 * otherwise it is not judged. */
void watcher_end_interval(struct watcher *w, struct span span, bool whole,
			  const struct source_status *source, size_t n);
/* Ends all open intervals. */
void watcher_end(struct watcher *w, struct span span, const struct source_status *source, size_t n);
/* Reports the end; `forwarded`: NULL if nothing is forwarded. */
void watcher_finish(struct watcher *w, const struct source_status *source, size_t n,
		    const struct forwarded *forwarded);

struct reported_rate;
/* Reports the alarms of a replay. */
void watcher_rate(struct watcher *w, const struct reported_rate *r);
struct reported_zoom;
/* Reports the per-call records of an alarm. */
void watcher_zoom(struct watcher *w, const struct reported_zoom *z);
/* Reports a message about a source. */
void watcher_source(struct watcher *w, double time, const struct source_status *source,
		    const char *message);

struct watch_status;
/* Fills in the counts of intervals and alarms. */
void watcher_status(const struct watcher *w, struct watch_status *ret);
/* Returns the number of intervals that were not judged because their load was new. */
uint64_t watcher_new_load(const struct watcher *w);
/* Returns the number of alarms. */
uint64_t watcher_alarms(const struct watcher *w);
bool watcher_failed(const struct watcher *w); /* something could not be written */
bool watcher_kept(const struct watcher *w);   /* the last interval was written, or need not be */

#endif
