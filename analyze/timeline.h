/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A run over time: the calls and latency of each operation in each interval, when they
 * changed, and whether they are periodic (OSprof 3.4 and 6.3, FSprof 3.3 and 5.2).
 *
 * Values are compared as rates per unit of time, since intervals may differ in length.  An
 * operation that is missing in an interval was not called in it.
 */
#ifndef ANALYZE_TIMELINE_H
#define ANALYZE_TIMELINE_H

#include "analyze/peaks.h"
#include "analyze/period.h"
#include "profile/profile.h"

struct arena;

/* One interval of the run, all operations together. */
struct timeline_interval {
	double start, end; /* as in struct interval */
	double calls;
	double latency; /* own time; without operations that wait by design */
	size_t step;	/* number of the interval, counting gaps by its usual length */
};

/* Whether the rate of calls or the mean latency changed. */
enum timeline_what { TIMELINE_CALLS, TIMELINE_MEAN };

/* One change of an operation's level within the run. */
struct timeline_change {
	enum timeline_what what;
	size_t interval;      /* first interval of the new level */
	double before, after; /* calls per unit of time, or mean latency, of both levels */
	double p;
};

/* An operation, or one of its peaks. */
struct timeline_op {
	const struct operation *op;
	const struct peak *peak; /* NULL: all of its calls */
	double *calls, *latency; /* in each interval of the run */
	double own_part;	 /* share of its latency that counts in timeline_interval.latency */
	struct period period;	 /* of its latency; its length is in units of time */
	struct timeline_change *change;
	size_t n_changes; /* by time */
};

/* All intervals of a run, and its operations over them; in an arena. */
struct timeline {
	struct timeline_interval *interval;
	size_t n;
	size_t n_missing; /* intervals in gaps, in which nothing was measured */
	double usual;	  /* usual length of an interval: the median, or the mean if rounded */
	bool rounded;	  /* times are rounded to whole seconds, so lengths alternate */
	double shortest, longest;
	struct timeline_op *op; /* those with intervals, by falling latency */
	size_t n_ops;
	struct timeline_op *peak; /* peaks of the first operations with several peaks */
	size_t n_peaks;
};

/* What makes a change or a period significant; comments give the defaults. */
struct timeline_rules {
	double alpha;	     /* probability of any false finding, over all operations: 0.05 */
	double min_strength; /* smallest strength of a period: 0.25 */
	double min_octaves;  /* smallest change: 0.25 */
	size_t shuffles;     /* random permutations that must confirm a change: 199 */
	uint64_t seed;
	size_t threads; /* most threads to use: 1 */
};

/* Limits for peaks: number of operations, and operations x intervals. */
enum { TIMELINE_MAX_PEAKS_OF = 200, TIMELINE_MAX_CELLS = 1000000 };

enum { TIMELINE_MIN = 4 }; /* fewest intervals on either side of a change */

/* The rules that the commands use. */
extern const struct timeline_rules timeline_rules_default;

/* The distinct intervals of a run's operations, with start and end only. */
struct timeline_list {
	struct timeline_interval *v;
	size_t n;
};
/* Returns all intervals of a profile in the order of time, in the arena. */
struct timeline_list timeline_intervals(struct arena *a, const struct profile *p);

/* Returns the timeline of a profile, in the arena; its n is 0 when the profile has no intervals. */
struct timeline timeline_of(struct arena *a, const struct profile *p,
			    const struct timeline_rules *rules);

#endif
