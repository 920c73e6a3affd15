/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A history: many runs one after the other, and where operations changed in it.
 *
 * 1. Each run gives each operation the numbers of analyze/runs_features.h.
 * 2. What all operations of a run have in common is removed, and reported once.
 * 3. Each series is searched for steps (analyze/change_points.h).
 * 4. False discoveries are controlled over all operations and stretches searched, and
 *    a minimum effect is asked for.
 * 5. Steps of several numbers at the same run are one change of the operation.
 *
 * Runs are added one by one; of each only histograms, calls and totals are kept.
 */
#ifndef ANALYZE_HISTORY_H
#define ANALYZE_HISTORY_H

#include "analyze/likeness.h"
#include "analyze/rank.h"
#include "analyze/runs.h"
#include "analyze/runs_features.h"

struct diag;

enum { HISTORY_FEWEST = 8, HISTORY_FEW = 20 }; /* runs: needed; below it power is low */

/* What makes a step in a history significant and worth reporting. */
struct history_rules {
	struct runs_rules runs; /* q, minimum effects, which operations are tested, seed */
	double min_share;	/* of the latency of the runs, to be reported: 0.01 */
	size_t least;		/* runs on either side of a step: 3 */
	size_t shuffles;	/* 999 */
	double outlier;		/* standard deviations: 6 */
	double min_odd;		/* octaves of an outlier run: 0.2 */
};

/* The rules that the commands use. */
extern const struct history_rules history_rules_default;

/* How an operation changed: at one run, little by little, or by coming or going. */
enum change_kind { CHANGE_STEP, CHANGE_DRIFT, CHANGE_NEW, CHANGE_GONE };

/* Medians over the runs of one level. */
struct level {
	double mean;	/* latency of a call; NAN: none */
	double calls;	/* a run */
	size_t from, n; /* its first run, and how many have the operation */
};

/* One change of an operation in a history. */
struct change {
	enum change_kind kind;
	enum verdict verdict;
	size_t at;  /* number of its first run, from 0; of a drift 0 */
	size_t end; /* one past the last run of the level that it begins */
	double p, q;
	struct level before, after;   /* of a drift: its first and its last third */
	double effect[N_FEATURES];    /* octaves, against the run effect; NAN: not known */
	bool significant[N_FEATURES]; /* and of the minimum effect */
};

/* A run unlike its neighbours. */
struct outlier_run {
	size_t run;
	double mean, calls; /* octaves away; 0: not odd in this */
};

/* One operation over all runs of a history, with its changes. */
struct past {
	struct str name, layer;
	enum unit unit;
	const struct operation **run; /* [n_runs], NULL where absent */
	size_t n_present;
	bool tested, reported; /* reported: some change of it is worth a person's time */
	double share;	       /* of the latency of all runs */
	double *mean, *calls;  /* [n_runs], as measured; NAN where absent */
	struct change *change; /* ascending */
	size_t n_changes;
	struct outlier_run *outlier;
	size_t n_outliers;
	size_t latest; /* of its changes: the run; drifts count as the last one */
};

/* One run of a history; latency is in the unit of the first run. */
struct history_run {
	const char *name;
	size_t n_files;
	double latency; /* a file, all operations that are latencies */
};

struct history;

/* An empty history; history_free() frees it. */
struct history *history_new(void);
void history_free(struct history *h); /* NULL is fine */

/* Adds the next run: the sum of n_files repeated ones.  `name` is borrowed, the profile
 * is not needed afterwards.  False when its unit cannot be brought to the first run's. */
MUST_CHECK bool history_add(struct history *h, const char *name, const struct profile *p,
			    size_t n_files, struct diag *diag);

/* What was found.  Everything lies in the history. */
struct history_findings {
	struct history_rules rules;
	const struct history_run *run;
	size_t n_runs;
	enum unit unit;
	double hz;
	struct past *v; /* the latest change first; then by what it adds or saves */
	size_t n, n_tested, n_reported;
	size_t n_searched;		 /* stretches, of all operations */
	bool run_effect_removed;	 /* enough operations to know the run effect */
	struct past run_effect;		 /* of the whole machine: mean is its octaves, no calls */
	bool approximated;		 /* buckets differ between runs and had to be split */
	const struct history_run *loner; /* unlike what most of the others have; or NULL */
	struct likeness likeness;	 /* of the loner */
	struct arena *arena;		 /* of the history */
};

/* Once, when all runs are added: HISTORY_FEWEST at least. */
struct history_findings history_judge(struct history *h, const struct history_rules *rules);

/* Whether a reported change of one of these verdicts (bits) began in the last `recent`
 * runs; a drift has not ended. */
bool history_fails(const struct history_findings *f, unsigned verdicts, size_t recent);

#endif
