/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How much runs of one configuration differ from each other, and how often the gate
 * takes that for a change.
 *
 * A replay splits the runs into two sides, halves or one run against the others, and judges
 * them like a comparison.  Nothing changed, so every failure is a false alarm.
 */
#ifndef ANALYZE_RANK_NOISE_H
#define ANALYZE_RANK_NOISE_H

#include "analyze/rank/runs.h"

struct arena;
struct diag;

/* Halves need two runs each; one against the others needs three. */
enum { FEWEST_FOR_HALVES = 4, FEWEST_FOR_NOISE = 3, MAX_FOR_NOISE = 64 };

/* What counts as an alarm: anything that fails under these options. */
enum alarm {
	ALARM_REGRESSED, /* rank --exit-code */
	ALARM_ANY,	 /* rank --exit-code=any */
	ALARM_POLICY,	 /* the policy */
};
enum { N_ALARMS = ALARM_POLICY + 1 };

/* The number of replays of one kind, and in how many of them something failed. */
struct replays {
	size_t n;
	bool all; /* every possible split; else drawn at random */
	size_t alarms[N_ALARMS];
};

/* Why an operation's runs differ: the first of these that applies. */
enum instability {
	STABLE,
	UNSTABLE_FEW_CALLS,   /* some run has fewer calls than the tested minimum */
	UNSTABLE_OUTLIER_RUN, /* one run lies apart from all others */
	UNSTABLE_TWO_GROUPS,  /* runs form two groups */
	UNSTABLE_DRIFT,	      /* runs drift with their number */
	UNSTABLE_NOISY,	      /* none of these, but the floor is above the minimum effect */
};
const char *instability_name(enum instability why); /* "outlier-run" */

/* Whether the latency or the number of calls is unstable. */
enum about { ABOUT_LATENCY, ABOUT_CALLS };

/* How one operation varies between runs of one configuration. */
struct noisy {
	const struct operation *op; /* of the sum over all runs */
	double share;		    /* of the run's latency; 1 where it has none */
	double calls;		    /* per run */
	size_t n_runs;		    /* runs that have it */
	bool tested;		    /* enough calls, or a large enough share */
	bool weighs;		    /* a large enough share to be reported at all */
	/* The noise floor, the smallest effect that is significant by itself at 5 %: for one new
	 * run against all of these, and for one half against the other. */
	struct noise_floor one, halves;
	enum instability why;
	enum about about;
	size_t run;		 /* number of the run, for UNSTABLE_OUTLIER_RUN */
	double by;		 /* octaves: of the outlier, between the groups, or of the drift */
	size_t alarms[N_ALARMS]; /* splits into halves in which it raised an alarm */
	size_t alarms_one[N_ALARMS]; /* the same for one run against the others */
};

/* The noise of repeated runs of one configuration, and the false alarms that it causes. */
struct noise {
	struct noisy *v; /* those that weigh first, by falling share */
	size_t n, n_runs;
	struct replays halves, one;
	struct drift drift; /* of the run effect */
	struct runs_rules rules;
	bool has_policy;
};

/* The smallest latency effect that is detected, where it moves all calls and the mean alike. */
double floor_of_latency(const struct noise_floor *f);
/* Converts the floor of one new run against n to that of m new runs. */
struct noise_floor floor_for_runs(const struct noise_floor *one, size_t n, size_t m);

/* Stores the floors and the number of false alarms in a baseline of the same runs. */
void noise_store(const struct noise *noise, struct profile *baseline);

/* Sets the floor of each judged operation, and below_floor where the rules ask for a smaller
 * effect.  Only operations that are large enough, tested and not ignored are below_floor; returns
 * how many are. */
size_t noise_mark_below_floor(const struct profile *baseline, const struct rank_rules *rank_rules,
			      const struct runs_judgement *judged, struct ranking *all);

/* Measures the noise of the runs of `side`, whose sum is `sum`, with at most `most` splits into
 * halves.  Arrays lie in the arena and borrow from the profiles.  False: an error was reported. */
MUST_CHECK bool noise_measure(struct arena *a, const struct runs_side *side,
			      const struct profile *sum, const struct rank_rules *rank_rules,
			      const struct runs_rules *rules, size_t max, struct noise *ret,
			      struct diag *diag);

/* For noise.c only: runs all replays, comparisons of runs of one configuration, and counts alarms, in
 * to and for each operation of to->v.  Returns false when an error was reported. */
MUST_CHECK bool noise_replay(const struct runs_side *side, const struct rank_rules *rank_rules,
			     const struct runs_rules *rules, size_t max, struct noise *to,
			     struct diag *diag);

#endif
