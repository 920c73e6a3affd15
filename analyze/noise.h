/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How much runs of one configuration differ from each other, and how often the gate
 * takes that for a change.
 *
 * Replays: the runs are split as a comparison would have them, in halves or one against
 * the others, and judged.  Nothing changed, so whatever fails is a false alarm.
 */
#ifndef ANALYZE_NOISE_H
#define ANALYZE_NOISE_H

#include "analyze/runs.h"

struct arena;
struct diag;

/* Halves need two runs each; one against the others needs three. */
enum { FEWEST_FOR_HALVES = 4, FEWEST_FOR_NOISE = 3, MAX_FOR_NOISE = 64 };

/* What counts as an alarm. */
enum alarm {
	ALARM_REGRESSED, /* rank --exit-code */
	ALARM_ANY,	 /* rank --exit-code=any */
	ALARM_POLICY,	 /* what fails by the policy */
};
enum { N_ALARMS = ALARM_POLICY + 1 };

/* How many replays were made of one kind, and in how many of them something failed. */
struct replays {
	size_t n;
	bool all; /* every way there is; else drawn at random */
	size_t alarms[N_ALARMS];
};

/* Why an operation's runs differ as they do, the first of these that holds. */
enum instability {
	STABLE,
	UNSTABLE_FEW_CALLS,   /* some run has fewer than are tested */
	UNSTABLE_OUTLIER_RUN, /* one run lies apart from all others */
	UNSTABLE_TWO_GROUPS,  /* runs are of two kinds */
	UNSTABLE_DRIFT,	      /* runs move with their number */
	UNSTABLE_NOISY,	      /* none of these, and a floor above the minimum effect */
};
const char *instability_name(enum instability why); /* "odd-run" */

/* Whether an operation's instability is one of its latency or of its number of calls. */
enum about { ABOUT_LATENCY, ABOUT_CALLS };

/* How one operation differs between runs in which nothing was changed. */
struct noisy {
	const struct operation *op; /* of the sum over all runs */
	double share;		    /* of the latency */
	double calls;		    /* a run */
	size_t n_runs;		    /* that have it */
	bool tested;		    /* enough calls, or a large enough share */
	bool weighs;		    /* a large enough share to be reported at all */
	/* The smallest effect that is significant by itself at 5 %: of one new run against
	 * all of these, and of one half against the other. */
	struct noise_floor one, halves;
	enum instability why;
	enum about about;
	size_t run;		     /* UNSTABLE_OUTLIER_RUN: which one */
	double by;		     /* octaves: how far it is out, groups are apart, it drifted */
	size_t alarms[N_ALARMS];     /* splits into halves in which it was one */
	size_t alarms_one[N_ALARMS]; /* the same of one run against the others */
};

/* What repeated runs of one configuration say about comparisons of them. */
struct noise {
	struct noisy *v; /* those that weigh first, by falling share */
	size_t n, n_runs;
	struct replays halves, one;
	struct drift drift; /* of what all operations have in common */
	struct runs_rules rules;
	bool has_policy;
};

/* The smallest effect of latency that is seen: one that moves calls and mean alike. */
double floor_of_latency(const struct noise_floor *f);
/* A floor of one new run against n as one of m new runs. */
struct noise_floor floor_for_runs(const struct noise_floor *one, size_t n, size_t m);

/* Writes floors and alarms into a baseline of the same runs. */
void noise_store(const struct noise *noise, struct profile *baseline);

/* Says of each judged operation its floor and whether the rules ask for less, as far as
 * the operation matters: large enough, tested, not ignored.  The number of those. */
size_t noise_hold_against(const struct profile *baseline, const struct rank_rules *rank_rules,
			  const struct runs_judgement *judged, struct ranking *all);

/* Of n runs and their sum; at most `most` splits into halves.  Arrays come from the
 * arena and borrow from the profiles.  False when an error was reported. */
MUST_CHECK bool noise_measure(struct arena *a, const struct runs_side *side,
			      const struct profile *sum, const struct rank_rules *rank_rules,
			      const struct runs_rules *rules, size_t most, struct noise *ret,
			      struct diag *diag);

#endif
