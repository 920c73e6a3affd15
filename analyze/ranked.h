/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operations of two runs as they are measured and judged, and the rules for it. */
#ifndef ANALYZE_RANKED_H
#define ANALYZE_RANKED_H

#include "analyze/distance.h"
#include "analyze/pair.h"
#include "analyze/peaks.h"
#include "analyze/run_effects.h"
#include "analyze/slow_calls.h"
#include "analyze/totals.h"

/* What became of an operation from one run to the other. */
enum verdict {
	VERDICT_REGRESSED,
	VERDICT_IMPROVED,
	VERDICT_CHANGED_SHAPE,
	VERDICT_SAME,
	VERDICT_INCONCLUSIVE,
	VERDICT_NEW,
	VERDICT_GONE,
};
const char *verdict_name(enum verdict v); /* "changed-shape" */

/* What a ranking is ordered by; largest first, names ascending. */
enum rank_sort {
	SORT_TOTAL, /* change of the total latency of a run, idle time left out */
	SORT_MEAN,  /* change of the mean latency, in octaves */
	SORT_P99,   /* change of the 99th percentile, in octaves */
	SORT_SCORE, /* the distance that the metric names */
	SORT_NAME,
};
extern const char *const rank_sort_names[]; /* by number, then NULL */

/* Whether the number of calls is a result. */
enum workload {
	WORKLOAD_DETECT,	 /* as the files say, and as elapsed times and totals show */
	WORKLOAD_FIXED_DURATION, /* as many calls as fit into a time: a closed loop */
	WORKLOAD_FIXED_WORK,	 /* each run has as much to do */
};

struct policy;

/* By what operations are scored, judged and ordered. */
struct rank_rules {
	enum metric metric; /* scores */
	enum rank_sort sort;
	enum workload workload;
	/* Phase 1, in shares of the run. */
	double min_share;      /* of its latency, on one side at least: 0.01 */
	double min_ops;	       /* of its calls, on one side at least: 0 */
	double min_difference; /* of the totals of both sides: 0.005 */
	/* Phase 3, in octaves (factors of two). */
	double min_effect;   /* of the body, without a histogram of the mean: 0.7 */
	double margin;	     /* added to it where there are no exact totals: 0.1 */
	double small_sample; /* every minimum grows by this / sqrt(calls of the smaller side): 7 */
	double min_slow;     /* of the odds of a slow call: 1.5 */
	double slow_p;	     /* at most this probable if rates were equal: 0.1 */
	double slow_calls;   /* at least so many on one side: 50 */
	double min_calls;    /* of the number of calls: 0.2 */
	double min_shape;    /* of EMD beyond what a shift of all calls explains: 0.5 */
	/* NAN; otherwise phase 3 is |metric| >= threshold alone. */
	double threshold;
	const struct rename_rule *rename; /* n_renames of them */
	size_t n_renames;
	size_t threads;		     /* that may be used; the result is the same for any number */
	const struct policy *policy; /* NULL; otherwise it replaces the above by operation */
};

/* Those of the rules that are thresholds. */
enum rank_rule {
	RULE_THRESHOLD,
	RULE_MIN_SHARE,
	RULE_MIN_OPS,
	RULE_MIN_DIFFERENCE,
	RULE_MIN_EFFECT,
	RULE_MIN_CALLS,
	RULE_MIN_SHAPE,
	RULE_MIN_SLOW,
	RULE_SMALL_SAMPLE,
	RULE_MARGIN,
};
enum { N_RANK_RULES = RULE_MARGIN + 1 };
/* The value of one threshold of the rules. */
double rank_rule_value(const struct rank_rules *rules, enum rank_rule rule);

/* The rules that the commands use. */
extern const struct rank_rules rank_rules_default;

/* What repeated runs say of an operation (analyze/runs.h): numbers are NAN where there
 * is none.  Octaves, after against before, less the run effect of all operations. */
struct replicate_stats {
	bool tested;		  /* among the operations that share the false discoveries */
	size_t n_before, n_after; /* runs that have it */
	size_t outliers_before,
		outliers_after;		     /* runs far from the others of their side: left out */
	double share_before, share_after;    /* of what a run worked, the median run */
	double p, q;			     /* of its latencies; q adjusted for all operations */
	double shift, shift_low, shift_high; /* movement of a call; 90 % interval */
	double mean, mean_low, mean_high;    /* the same of the mean latency */
	double tail;			     /* odds of a call beyond 8 times the median */
	double calls, calls_low, calls_high; /* number of calls a run */
	double calls_p, calls_q;
	double distance, distance_p; /* of the average shapes; by permuting runs */
	/* Against a baseline: what its runs show among each other, for as many new runs as
	 * there are; and whether less than that is asked for of an operation that is judged. */
	struct noise_floor floor;
	bool below_floor;
};

/* Why an operation that seems to have changed is not reported. */
enum doubt {
	DOUBT_NONE,
	DOUBT_FEW_CALLS,  /* the effect is large, the calls are few */
	DOUBT_SLOW_CALLS, /* a few slow calls moved the mean, the body did not */
	DOUBT_PREEMPTED,  /* ... and look preempted */
	DOUBT_BUCKETS,	  /* calls changed buckets, the mean disagrees */
	DOUBT_SMALL_PART, /* of the run */
	DOUBT_EFFECT,	  /* not shown to be below the minimum effect */
};
const char *doubt_name(enum doubt d); /* "small-sample" */

/* An operation in one run: the mean over the runs of a side, in the unit of the run before. */
struct in_run {
	double calls, total;
	double mean; /* latency of a call; NAN without one */
};

/* One operation of two runs: its distances, its verdict, and what that rests on. */
struct ranked {
	const struct operation *before, *after; /* NULL where absent */
	bool renamed;				/* the two have different names */
	bool idle;		  /* waits by design: judged by its shape, not by its total */
	bool fixed_duration;	  /* as many calls were made as fit into a time */
	double metric[N_METRICS]; /* NAN where it cannot be computed */
	double score;
	enum verdict verdict;
	bool reported;
	bool approximated;
	double share_before, share_after;    /* of the run's total latency; 0 where absent */
	struct in_run run_before, run_after; /* what people are shown */
	double total_before, total_after;    /* in the unit of the run before; sums over its runs */
	/* The same on equal terms: both exact, or both from buckets; of as many calls as
	 * before where calls fill a time. */
	double compared_before, compared_after;
	/* log2 of the ratio of mean latencies and of calls a run, beyond what the run got done in
	 * a fixed duration; infinite from or to 0; NAN: there is none. */
	double mean_octaves, calls_octaves;
	double shift;		/* mean movement of a call in octaves, up is slower */
	double body_octaves;	/* movement of the body (analyze/body.h); NAN: not looked at */
	double effect_octaves;	/* what whole-run effects move it by */
	struct slow_calls slow; /* p is 1 where they were not looked at */
	double threshold;	/* octaves from which on it is reported; NAN: on one side only */
	enum doubt doubt;	/* of one that is inconclusive */
	bool adds_to_run;	/* new, and more than the minimum effect on the run's total */
	double scale_after;	/* what turns its latencies after into the unit before */
	struct replicate_stats *runs; /* of repeated runs; NULL: not judged by them */
};

/* One side of a comparison. */
struct rank_side {
	const struct profile *profile; /* what is to be compared of it */
	struct totals run;	       /* of the whole run */
	size_t n_runs;		       /* added up in the profile */
};

/* All operations of two runs, in the order of the rules, and what holds for both runs. */
struct ranking {
	struct ranked *v; /* reported ones first, then by falling score */
	size_t n, n_reported;
	struct totals before, after;
	size_t n_before, n_after;   /* runs */
	double added, saved;	    /* sums of what operations gained and lost in total latency */
	struct run_effects effects; /* per_call in the unit of the run before */
	double expected;	    /* what the operations before would work under these effects */
	/* The runs last equally long, whatever they get done: by so many octaves they got more
	 * done, which no operation's number of calls is blamed for. */
	bool fixed_duration;
	double iterations_octaves;
	double runs_ratio;  /* runs before / runs after: makes sums over runs comparable */
	double scale_after; /* what turns the unit of `after` into that of `before` */
	double seconds;	    /* in that unit; 0: it is no time */
	bool approximated;
};

/* The operation of either run, for what both have in common: that before where there is one. */
static inline const struct operation *ranked_operation(const struct ranked *r)
{
	return r->before != NULL ? r->before : r->after;
}

#endif
