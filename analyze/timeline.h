/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A run over time: what each operation did in each interval, when that changed, and
 * whether it repeats itself (OSprof 3.4 and 6.3, FSprof 3.3 and 5.2).
 *
 * Everything is a rate, by the length of its interval, so that intervals of different
 * length can be compared with each other.  An operation that an interval does not have
 * was not called in it.
 */
#ifndef ANALYZE_TIMELINE_H
#define ANALYZE_TIMELINE_H

#include "analyze/peaks.h"
#include "analyze/period.h"
#include "profile/profile.h"

struct arena;

/* One interval of the run, all operations together. */
struct timeline_interval {
	double start, end; /* as struct interval */
	double calls;
	double latency; /* of calls that wait by design nothing, of others what is their own */
	size_t step;	/* its number, gaps counted, by the usual length of an interval */
};

/* Which number of an operation changed. */
enum timeline_what { TIMELINE_CALLS, TIMELINE_MEAN };

/* One change of an operation's level within the run. */
struct timeline_change {
	enum timeline_what what;
	size_t interval;      /* the first one of the new level */
	double before, after; /* calls in one unit of time, or mean latency, of both levels */
	double p;
};

/* An operation, or one of its peaks. */
struct timeline_op {
	const struct operation *op;
	const struct peak *peak; /* NULL: all of its calls */
	double *calls, *latency; /* in each interval of the run */
	double own_part;	 /* of its latency, what an interval's sum counts */
	struct period period;	 /* of its latency; length in units of time */
	struct timeline_change *change;
	size_t n_changes; /* by time */
};

/* All intervals of a run, and its operations over them; in an arena. */
struct timeline {
	struct timeline_interval *interval;
	size_t n;
	size_t n_missing; /* intervals' worth of time that nothing was measured in */
	double usual;	  /* length of an interval: the median, of rounded ones the mean */
	bool rounded;	  /* to whole seconds, by turns up and down */
	double shortest, longest;
	struct timeline_op *op; /* those sampled in time, by latency */
	size_t n_ops;
	struct timeline_op *peak; /* of those with several, of the first operations only */
	size_t n_peaks;
};

/* What makes a change or a period significant. */
struct timeline_rules {
	double alpha;	     /* false findings, of all operations together: 0.05 */
	double min_strength; /* of a period: 0.25 */
	double min_octaves;  /* of a change: 0.25 */
	size_t threads;	     /* at most: 1 */
};

/* Operations whose peaks are looked at, and so many of them times intervals. */
enum { TIMELINE_MAX_PEAKS_OF = 200, TIMELINE_MAX_CELLS = 1000000 };

/* The rules that the commands use. */
extern const struct timeline_rules timeline_rules_default;

/* The intervals of a run's operations, each once, without what happened in them. */
struct timeline_list {
	struct timeline_interval *v;
	size_t n;
};
/* All intervals of a profile in the order of time; they lie in the arena. */
struct timeline_list timeline_intervals(struct arena *a, const struct profile *p);

/* n is 0 when nothing was sampled in time. */
struct timeline timeline_of(struct arena *a, const struct profile *p,
			    const struct timeline_rules *rules);

#endif
