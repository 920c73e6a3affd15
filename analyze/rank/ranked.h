/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operations of two runs as measured and judged, and the rules for judging. */
#ifndef ANALYZE_RANK_RANKED_H
#define ANALYZE_RANK_RANKED_H

#include "analyze/distance.h"
#include "analyze/peaks.h"
#include "analyze/rank/feature.h"
#include "analyze/rank/pair.h"
#include "analyze/rank/run_effects.h"
#include "analyze/rank/stalls.h"
#include "analyze/rank/wait_role.h"
#include "analyze/slow_calls.h"
#include "analyze/stats/states.h"
#include "analyze/totals.h"

/* How an operation changed from one run to the other. */
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

/* What a ranking is sorted by: largest first, names ascending. */
enum rank_sort {
	SORT_TOTAL, /* change of the total latency, except idle time */
	SORT_MEAN,  /* change of the mean latency, in octaves */
	SORT_P99,   /* change of the 99th percentile, in octaves */
	SORT_SCORE, /* the distance that rank_rules.metric selects */
	SORT_NAME,
};
extern const char *const rank_sort_names[]; /* by number, then NULL */

/* Whether the number of calls is a result. */
enum workload {
	WORKLOAD_DETECT,	 /* by what the files state, by elapsed times and by totals */
	WORKLOAD_FIXED_DURATION, /* as many calls as fit into a time: closed-loop */
	WORKLOAD_FIXED_WORK,	 /* each run does the same work */
};

struct policy;

/* How operations are scored, judged and sorted; comments give the defaults. */
struct rank_rules {
	enum metric metric; /* for the score: EMD */
	enum rank_sort sort;
	enum workload workload;
	/* Phase 1, in shares of the run. */
	double min_share;      /* of latency, on at least one side: 0.01 */
	double min_ops;	       /* of calls, on at least one side: 0 */
	double min_difference; /* between the totals of both sides: 0.005 */
	/* Phase 3, in octaves (factors of two). */
	double min_effect;   /* movement of the body; of the mean without histograms: 0.7 */
	double margin;	     /* added to min_effect without exact totals: 0.1 */
	double small_sample; /* over a root of the calls of the smaller side: 7 (one_run.h) */
	double min_slow;     /* change of the odds of a slow call: 1.5 */
	double slow_p;	     /* largest p of that change: 0.1 */
	double slow_calls;   /* fewest slow calls on the side with more: 50 */
	double min_calls;    /* change of the number of calls: 0.2 */
	double min_shape;    /* EMD beyond what a shift of all calls explains: 0.5 */
	/* NAN; otherwise phase 3 is only |metric| >= threshold. */
	double threshold;
	const struct rename_rule *rename; /* n_renames of them */
	size_t n_renames;
	size_t threads;		     /* at most; the result is the same for any number */
	const struct policy *policy; /* or NULL; overrides the above by operation */
};

/* The rules that are thresholds. */
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
/* Returns the value of one threshold. */
double rank_rule_value(const struct rank_rules *rules, enum rank_rule rule);

/* The rules that the commands use. */
extern const struct rank_rules rank_rules_default;

/* A change of one feature over repeated runs, in octaves of after over before; NAN: not known. */
struct effect {
	double value, low, high; /* whole change; 90 % interval */
	double min;		 /* the smaller of the changes with and without what all share */
	double p;    /* of a change; of the weaker one of the two where both must hold */
	bool counts; /* significant in its family, and at least the minimum effect */
};

extern const struct effect effect_unknown; /* all NAN */

/* Replicate statistics of an operation (analyze/rank/runs.h). */
struct replicate_stats {
	bool tested;			  /* included in the false-discovery control */
	size_t n_before, n_after;	  /* runs that have the operation */
	double share_before, share_after; /* of a run's busy time, median over runs */
	double p, q;			  /* for latency; q is adjusted so that 0.05 is its limit */
	double calls_q;			  /* the same for the number of calls */
	struct effect effect[N_FEATURES];
	double distance, distance_p; /* EMD of the average shapes; permutation p */
	bool mixed;		     /* some features rose, and others fell */
	struct run_states states_before, states_after;
	double states_q;    /* of their counts; NAN: none */
	size_t runs_needed; /* a side, to decide an inconclusive one; 0: not known */
	/* With a baseline: the noise floor of its runs, for as many new runs as there are; and
	 * whether the rules ask for a smaller effect than that. */
	struct noise_floor floor;
	bool below_floor;
};

/* Whether the mean or slow calls became slower, by what counts. */
bool replicate_slower(const struct replicate_stats *o);

/* Why an inconclusive operation is not reported. */
enum doubt {
	DOUBT_NONE,
	DOUBT_FEW_CALLS,   /* the effect is large, but the calls are few */
	DOUBT_SLOW_CALLS,  /* a few slow calls moved the mean, the body did not move */
	DOUBT_PREEMPTED,   /* ... and these calls look preempted */
	DOUBT_DELAYED,	   /* calls of other operations were delayed as much */
	DOUBT_OTHER_CALLS, /* numbers of calls vary: the runs did not do the same */
	DOUBT_LONGEST,	   /* of a summary, only the longest call became much slower */
	DOUBT_BUCKETS,	   /* calls changed buckets, but the mean disagrees */
	DOUBT_SMALL_PART,  /* its part of the run is too small */
	DOUBT_EFFECT,	   /* too small to report, but not shown to be below the minimum effect */
};
const char *doubt_name(enum doubt d); /* "small-sample" */

/* An operation per run: the mean over the runs of a side, in the unit of the run before. */
struct in_run {
	double calls, total;
	double mean; /* latency of a call; NAN without calls */
};

/* One operation of two runs: its measurements, its verdict and the reasons for it. */
struct ranked {
	const struct operation *before, *after; /* NULL where absent */
	bool renamed;				/* the two have different names */
	bool idle;				/* may wait by design; see `wait` */
	enum wait_role wait;	  /* whether its waiting mattered (analyze/rank/waits.h) */
	bool shared;		  /* moved with the largest group of operations */
	bool fixed_duration;	  /* as many calls as fit into a time */
	double metric[N_METRICS]; /* NAN where it cannot be computed */
	double score;
	enum verdict verdict;
	bool reported;
	bool approximated;
	double share_before, share_after;    /* of the run's total latency; 0 where absent */
	struct in_run run_before, run_after; /* for display */
	double total_before, total_after;    /* in the unit of the run before; sums over its runs */
	/* The same on equal terms: both exact, or both estimated from buckets.  For runs of a
	 * fixed duration, `after` is scaled to the calls or iterations before. */
	double compared_before, compared_after;
	/* log2 of the ratio of mean latencies, and of calls per run without iterations_octaves;
	 * infinite from or to 0; NAN: there is none. */
	double mean_octaves, calls_octaves;
	double shift;	       /* mean movement of a call in octaves; positive is slower */
	double body_octaves;   /* movement of the body (analyze/body.h); NAN: not measured */
	double effect_octaves; /* movement that whole-run effects explain */
	struct delays delays;
	struct slow_calls slow; /* p is 1 where they were not measured */
	double threshold;	/* octaves from which on it is reported; NAN: on one side only */
	enum doubt doubt;	/* DOUBT_NONE unless inconclusive */
	bool adds_to_run;	/* new, and more than the minimum effect on the run's total */
	double scale_after;	/* converts its latencies after to the unit before */
	struct replicate_stats *runs; /* NULL unless judged by repeated runs */
};

/* One side of a comparison. */
struct rank_side {
	const struct profile *profile; /* the operations to compare */
	struct totals run;	       /* of the whole run */
	size_t n_runs;		       /* runs that are added up in the profile */
};

/* How the runs of both sides were ordered in time. */
enum runs_order { ORDER_UNKNOWN, ORDER_BLOCKED, ORDER_TURNS, ORDER_DUETS };

/* The verdict on the run as a whole (analyze/rank/run_verdict.h). */
struct run_verdict {
	enum verdict verdict;  /* regressed, improved, same, changed-shape or inconclusive */
	struct effect shared;  /* what the largest group of operations shares; NAN: none */
	size_t n_shared, of;   /* operations of the group, and of all that could be in it */
	struct effect elapsed; /* change of elapsed time beyond waits for input; NAN: not known */
	enum runs_order order;
	bool passes; /* the shared effect is more than what a machine does by itself */
};

/* Octaves by which numbers of calls rise and fall where runs do the same work. */
struct calls_noise {
	double more, fewer;
};

/* All operations of two runs, sorted by the rules, and findings about the runs as a whole. */
struct ranking {
	struct ranked *v; /* as rank_order() sorts: reported ones first */
	size_t n, n_reported;
	struct totals before, after;
	size_t n_before, n_after;   /* runs */
	double added, saved;	    /* sums of what operations gained and lost in total latency */
	struct run_effects effects; /* per_call in the unit of the run before */
	struct run_verdict run;
	struct elapsed_change elapsed;
	/* Runs of a fixed duration: the runs after got this many octaves more done, which the
	 * operations' numbers of calls are corrected for. */
	bool fixed_duration;
	double iterations_octaves;
	double runs_ratio;    /* runs before / runs after: makes sums over runs comparable */
	double scale_after;   /* converts the unit of `after` to that of `before` */
	struct delays delays; /* sums over n_delays operations */
	size_t n_delays;
	double at_once; /* calls of concurrent clients that one stall delays; at least 1 */
	struct calls_noise calls_noise;
	double seconds; /* one unit of `before` in seconds; 0: not a time */
	bool approximated;
};

/* Returns (after - before) / (after + before); 0 when both are 0. */
static inline double relative_difference(double before, double after)
{
	return before + after > 0 ? (after - before) / (before + after) : 0;
}

/* Whether an operation on both sides has buckets on both. */
static inline bool ranked_has_histograms(const struct ranked *r)
{
	return r->before->hist.n > 0 && r->after->hist.n > 0;
}

/* The operation before, or the one after if there is none, for what both have in common. */
static inline const struct operation *ranked_operation(const struct ranked *r)
{
	return r->before != NULL ? r->before : r->after;
}

#endif
