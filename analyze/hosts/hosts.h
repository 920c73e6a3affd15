/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Judges sums by host: hosts are the replicates.
 *
 * 1. Moderated t tests, as for repeated runs (analyze/rank/runs.h), on the spreads over hosts of
 *    both sides, or, when hosts are paired, on the spread of each host's own difference.
 * 2. Outlier hosts: those farther from the rest than the limit that 95 of 100 comparisons of
 *    equal hosts do not exceed, with tails as heavy as those of the fleet
 *    (analyze/hosts/hosts_tails.h).  The rest leaves out up to eight hosts on either side, so that
 *    outliers cannot widen it.  Odds of slow calls must
 *    also be improbable as counts (Poisson): most hosts may have none, and one has one.
 */
#ifndef ANALYZE_HOSTS_HOSTS_H
#define ANALYZE_HOSTS_HOSTS_H

#include "analyze/rank/runs.h"
#include "profile/spread.h"

/* Where a host is an outlier: on one side of a comparison, or in its change between them. */
enum outlier_side { OUTLIER_BEFORE, OUTLIER_AFTER, OUTLIER_CHANGE };
extern const char *const outlier_sides[]; /* "before", "after", "change" */

/* A host that differs from the rest of the fleet in one operation. */
struct outlier_host {
	struct str host;
	const struct ranked *of;
	enum outlier_side side; /* OUTLIER_CHANGE: only when hosts are paired */
	enum spread_feature feature;
	double octaves;	   /* from the mean of the rest */
	double deviations; /* the same, in standard deviations of the rest; not signed */
	bool before_too;   /* an outlier after that was one before, in the same direction */
};

/* The findings of a comparison by host, beyond the verdicts of operations. */
struct hosts_findings {
	size_t n_before, n_after;	      /* hosts; both are the number of pairs when paired */
	size_t missing_before, missing_after; /* expected hosts that are missing */
	bool paired;
	struct outlier_host *outlier; /* farthest first; one per operation, host and side */
	size_t n_outliers;
	double deviations; /* limit of an outlier where all hosts have the operation; or NAN */
};

/* As runs_judge(), for two sums by host.  `differences` are those of paired hosts, or NULL. */
struct runs_judgement hosts_judge(struct arena *a, const struct profile *before,
				  const struct profile *after, const struct profile *differences,
				  const struct rank_rules *rank_rules,
				  const struct runs_rules *rules, struct ranking *all);
/* Finds an operation in the differences, which are sorted; NULL when it is not there. */
const struct operation *hosts_change_of(const struct profile *differences, const struct ranked *r);
/* Finds the outlier hosts of what hosts_judge() judged; the result lies in the arena. */
struct hosts_findings hosts_find(struct arena *a, const struct profile *before,
				 const struct profile *after, const struct profile *differences,
				 const struct runs_rules *rules, const struct ranking *all);

#endif
