/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Judging a run while it goes on: each interval against those before it, per operation and
 * for all of them together, with a stated rate of false alarms.
 *
 * Three features of each operation are followed (analyze/watch_track.h): the mean place of a
 * call, the odds of a call beyond 8 times the median, and the number of calls.  What all
 * operations have in common is taken off, and followed by itself.  An operation that is
 * called rarely is judged by 2, 4 ... 64 intervals at a time.  Latency is judged a second time by
 * a minute or more, in which small changes that last are plain: such an alarm is of WATCH_SHIFT,
 * too, and has its own threshold.
 *
 * Pure: no clock, no files.  The same intervals give the same alarms.
 */
#ifndef ANALYZE_WATCH_H
#define ANALYZE_WATCH_H

#include "base/str.h"
#include "profile/profile.h"

/* The numbers of an operation that are followed. */
enum watch_feature { WATCH_SHIFT, WATCH_TAIL, WATCH_CALLS };
enum { N_WATCH_FEATURES = WATCH_CALLS + 1 };
extern const char *const watch_feature_names[]; /* "latency", "slow-calls", "calls" */

/* How often false alarms may come, and from which effect on there is one. */
struct watch_rules {
	double interval;	 /* seconds of each: 10 */
	double false_alarms;	 /* a second that are allowed, all operations together: 1/30 d */
	double factor;		 /* by which the threshold is raised: 1 */
	double min_effect;	 /* octaves of latency: 0.07 */
	double min_tail;	 /* octaves of the odds of a slow call: 0.585 */
	double min_calls;	 /* octaves of the number of calls: 0.2 */
	double min_tested_calls; /* that are judged at once: 30 */
	size_t min_common_operations; /* operations from which on the run effect is taken off: 10 */
	size_t max_operations;	      /* that are followed: 4096; of others nothing is judged */
	uint64_t seed;		      /* 20061106 */
	bool any_load;		      /* intervals are compared whatever the load: false */
};

/* The rules that osprof watch uses. */
extern const struct watch_rules watch_rules_default;

/* What happened to an operation, or to an alarm of it. */
enum watch_what {
	WATCH_ALARM,
	WATCH_BACK,	/* the alarm is over: values are again as before it */
	WATCH_ACCEPTED, /* the alarm is over: values have been so long as they are that they are
			 * the reference */
	WATCH_APPEARED, /* an operation that was not there at the beginning */
};

/* One event of an interval, borrowed from the judge until the next interval. */
struct watch_event {
	enum watch_what what;
	uint64_t id;		/* of the alarm */
	struct str layer, name; /* valid until watch_free(); empty: of all operations */
	bool common;		/* it is all operations together */
	enum watch_feature feature;
	bool up;
	double evidence, threshold;
	double effect; /* octaves, since it began */
	size_t since;  /* intervals before this one that it began */
};

struct watch;

/* A judge that has seen no interval; watch_free() frees it. */
struct watch *watch_new(const struct watch_rules *rules);
void watch_free(struct watch *w); /* NULL is fine */

/* The next interval, its operations in order (operation_cmp_key()).  Of one that is not
 * `complete` numbers of calls are not judged.  The events are valid until the next one. */
void watch_push(struct watch *w, const struct profile *interval, bool complete,
		const struct watch_event **ret, size_t *ret_n);
/* What was pushed so far stays the reference.  False: fewer operations than one are ready. */
bool watch_freeze(struct watch *w);

size_t watch_operations(const struct watch *w); /* that are followed */
size_t watch_judged(const struct watch *w);	/* ... and have a reference */
/* The last interval was not judged: no operation has a reference under its load, but some have
 * under another one. */
bool watch_load_is_new(const struct watch *w);
size_t watch_active(const struct watch *w);    /* alarms that are not over */
double watch_threshold(const struct watch *w); /* of evidence, of what is judged each interval */

#endif
