/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Change detection on a stream of intervals: each operation, and all operations together, are
 * compared with earlier intervals, with a stated rate of false alarms.
 *
 * Three features of each operation are followed (analyze/watch/watch_track.h): the mean log2 latency,
 * the odds of a call slower than 8 times the median, and the number of calls.  The median change
 * of all operations is subtracted, and followed by itself.  Rare operations are judged by 2, 4 ...
 * 64 intervals at a time.  Latency is also judged by a minute or more at a time, where small
 * lasting changes stand out from the noise; such an alarm is of WATCH_SHIFT, too, but has its own
 * threshold.  There is no clock and no input or output: the same intervals give the same alarms.
 */
#ifndef ANALYZE_WATCH_WATCH_H
#define ANALYZE_WATCH_WATCH_H

#include "base/str.h"
#include "profile/profile.h"

/* The features of an operation. */
enum watch_feature { WATCH_SHIFT, WATCH_TAIL, WATCH_CALLS };
enum { N_WATCH_FEATURES = WATCH_CALLS + 1 };
extern const char *const watch_feature_names[]; /* "latency", "slow-calls", "calls" */

/* The rate of false alarms, and the smallest effects to report. */
struct watch_rules {
	double interval;	 /* seconds of an interval: 10 */
	double false_alarms;	 /* allowed per second, for all operations together: 1 in 30 days */
	double factor;		 /* that multiplies the threshold: 1 */
	double min_effect;	 /* log2 ratio of latency: 0.07 */
	double min_tail;	 /* log2 ratio of the odds of a slow call: 0.585 */
	double min_calls;	 /* log2 ratio of the number of calls: 0.2 */
	double min_tested_calls; /* calls of a value; intervals are merged until there are as many:
				    30 */
	size_t min_common_operations; /* fewer operations have no run effect subtracted: 10 */
	size_t max_operations;	      /* followed; others are not judged: 4096 */
	uint64_t seed;		      /* 20061106 */
	bool any_load;		      /* compare intervals under any load: false */
};

/* The rules that osprof watch uses. */
extern const struct watch_rules watch_rules_default;

enum watch_what {
	WATCH_ALARM,
	WATCH_BACK,	/* the alarm ends: values are as before it */
	WATCH_ACCEPTED, /* the alarm ends: the new level has become the reference */
	WATCH_APPEARED, /* a new operation */
	/* As much evidence as for an alarm, but too little is known yet of how levels vary: it lies
	 * beyond all of them, and may be usual. */
	WATCH_POSSIBLE,
};

/* One event of an interval, borrowed from the judge until the next interval. */
struct watch_event {
	enum watch_what what;
	uint64_t id;		/* of the alarm, from 1; 0: none */
	struct str layer, name; /* valid until watch_free(); empty: all operations */
	bool common;		/* the event is of all operations together */
	enum watch_feature feature;
	bool up;
	double evidence, threshold;
	double effect; /* log2 ratio since the onset */
	size_t since;  /* intervals from the onset to this one */
};

struct watch;

/* Returns a judge without intervals; watch_free() frees it. */
struct watch *watch_new(const struct watch_rules *rules);
void watch_free(struct watch *w); /* NULL is fine */

/* Judges the next interval, whose operations are in order (operation_cmp_key()).  If it is not
 * `complete`, numbers of calls are not judged.  The events are valid until the next call. */
void watch_push(struct watch *w, const struct profile *interval, bool complete,
		const struct watch_event **ret, size_t *ret_n);
/* Makes the intervals so far the lasting reference.  False: no operation has enough of them. */
bool watch_freeze(struct watch *w);

size_t watch_operations(const struct watch *w); /* followed operations */
size_t watch_judged(const struct watch *w);	/* those with a reference */
/* Whether the last interval was not judged because no operation has a reference under its load,
 * while some have one under another load. */
bool watch_load_is_new(const struct watch *w);
size_t watch_active(const struct watch *w);    /* alarms that have not ended */
size_t watch_possible(const struct watch *w);  /* features of which a WATCH_POSSIBLE goes on */
double watch_threshold(const struct watch *w); /* of the evidence of values of one interval */

/* What can be found now of an operation, by number from 0. */
struct watch_reach {
	struct str layer, name;
	double latency; /* smallest lasting rise that raises an alarm, log2 ratio; NAN: not judged
			 */
};
struct watch_reach watch_reach_of(const struct watch *w, size_t operation);
/* The same of all operations that are judged now. */
struct watch_reaches {
	size_t n;
	double min, median, largest; /* NAN: none is judged */
};
struct watch_reaches watch_reaches_of(const struct watch *w);
/* Returns the seconds until the first intervals are judged. */
double watch_first_judged(const struct watch_rules *rules);
/* Returns the rise that is found after so many seconds of watching where levels do not vary;
 * HUGE_VAL before operations are judged. */
double watch_reach_after(const struct watch_rules *rules, double seconds);

#endif
