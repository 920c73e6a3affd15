/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A history: a sequence of runs, and the runs at which operations changed.
 *
 * 1. Each run gives each operation a few features.
 * 2. The part that the processor's speed explains, where runs state it, is removed, then the run
 *    effect, which all operations of a run share and which is reported once.
 * 3. Each series is searched for change points (analyze/stats/change_points.h).
 * 4. The probability of any false change is controlled over all operations and stretches
 *    searched, and changes below a minimum effect are dropped.
 * 5. Change points of several features at about the same run are one change of the
 *    operation.
 *
 * Runs are added one by one; only the histogram, calls and totals of each are kept.
 */
#ifndef ANALYZE_HISTORY_HISTORY_H
#define ANALYZE_HISTORY_HISTORY_H

#include "analyze/rank/likeness.h"
#include "analyze/rank/rank.h"
#include "analyze/rank/runs.h"
#include "analyze/rank/runs_features.h"

struct diag;

enum { HISTORY_FEWEST = 8, HISTORY_FEW = 20 }; /* fewest runs; fewer than FEW: low power */

/* What a change can be of: one number a run each. */
enum history_feature {
	HISTORY_SHIFT, /* mean position of the calls, in octaves */
	HISTORY_MEAN,  /* log2 of the mean latency */
	HISTORY_TAIL,  /* log2 of the odds of a call beyond 8 times the median of all runs */
	HISTORY_P50,   /* log2 of the percentiles, interpolated */
	HISTORY_P90,
	HISTORY_P99,
	HISTORY_CALLS, /* log2 of the number of calls */
	N_HISTORY_FEATURES
};
extern const char *const history_feature_keys[]; /* "shift", "mean_shift", ... */

/* What makes a change significant and worth reporting; comments give the defaults. */
struct history_rules {
	struct runs_rules runs; /* q: probability of any false change; minimum effects, seed */
	double min_p99;		/* octaves of the 99th percentile: 0.32, which is 25 % */
	double min_share;	/* of the run's latency, for a reported change: 0.01 */
	size_t min;		/* fewest runs on either side of a step: 3 */
	size_t shuffles;	/* random permutations of the runs: 199 */
	double outlier;		/* standard deviations of an outlier run, at least: 6 */
	double min_odd;		/* octaves of an outlier run, at least: 0.2 */
};

/* The rules that the commands use. */
extern const struct history_rules history_rules_default;

/* How an operation changed: at one run, gradually, or by appearing or disappearing. */
enum change_kind { CHANGE_STEP, CHANGE_DRIFT, CHANGE_NEW, CHANGE_GONE };

/* Medians over the runs of one level. */
struct level {
	double mean;	/* latency of a call; NAN without calls */
	double calls;	/* per run */
	size_t from, n; /* number of its first run; how many of its runs have the operation */
};

/* One change of an operation in a history. */
struct change {
	enum change_kind kind;
	enum verdict verdict;
	size_t at;  /* number of its first run, from 0; 0 for a drift */
	size_t end; /* one past the last run of the new level */
	double p, q;
	struct level before, after; /* for a drift, the first and the last third of the runs */
	double effect[N_HISTORY_FEATURES];    /* octaves beyond the run effect; NAN: not known */
	bool significant[N_HISTORY_FEATURES]; /* and at least the minimum effect */
};

/* A run unlike its neighbours. */
struct outlier_run {
	size_t run;
	double mean, calls; /* octaves from its level; 0: not an outlier in this */
};

/* One operation over all runs of a history, with its changes. */
struct past {
	struct str name, layer;
	enum unit unit;
	const struct operation **run; /* [n_runs], NULL where absent */
	size_t n_present;
	bool tested, reported; /* reported: some change has enough of the latency */
	double share;	       /* of the latency of all runs; NAN for values of another unit */
	double *mean, *calls;  /* [n_runs], as measured; NAN where absent */
	struct change *change; /* ascending */
	size_t n_changes;
	struct outlier_run *outlier;
	size_t n_outliers;
	size_t latest; /* run of its latest change; the last run for a drift */
};

/* One run of a history; latency is in the unit of the first run. */
struct history_run {
	const char *name;
	size_t n_files;
	double latency;	  /* per file, of all operations in the profile's unit */
	double cpu_speed; /* 0: not stated */
};

struct history;

/* Returns an empty history; history_free() frees it. */
struct history *history_new(void);
void history_free(struct history *h); /* NULL is fine */

/* Adds the next run, the sum of n_files repeated ones.  Borrows `name`; the profile may be freed
 * afterwards.  Returns false, with an error reported, when a unit cannot be converted to that of
 * the first run. */
MUST_CHECK bool history_add(struct history *h, const char *name, const struct profile *p,
			    size_t n_files, struct diag *diag);

/* The findings; everything lies in the history. */
struct history_findings {
	struct history_rules rules;
	const struct history_run *run;
	size_t n_runs;
	enum unit unit;
	double hz;
	struct past *v; /* reported ones first, then by latest change, then by share */
	size_t n, n_tested, n_reported;
	size_t n_searched;	 /* stretches of all operations that were searched */
	double speed_range;	 /* octaves between the slowest and the fastest processor; or NAN */
	bool speed_removed;	 /* it varied, so its part was removed */
	bool run_effect_removed; /* there were enough operations to estimate it */
	struct past run_effect;	 /* of the whole machine; mean[] is in octaves, calls is NULL */
	bool approximated;	 /* runs have different buckets, which had to be split */
	const struct history_run *dissimilar; /* first run unlike most of the others; or NULL */
	struct likeness likeness;	      /* of `dissimilar` with the others */
	struct arena *arena;		      /* the history's */
};

/* Judges the history; call it once, after adding at least HISTORY_FEWEST runs. */
struct history_findings history_judge(struct history *h, const struct history_rules *rules);

/* Whether a reported change with one of these verdicts (bits) began in the last `recent` runs; a
 * drift counts as beginning in the last run. */
bool history_fails(const struct history_findings *f, unsigned verdicts, size_t recent);

#endif
