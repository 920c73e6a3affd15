/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Judging sums by host: hosts are the replicates.
 *
 * 1. Moderated t tests, as of repeated runs (analyze/runs.h), of what the spreads of both
 *    sides say; paired by host, of the hosts' own differences.
 * 2. Outlier hosts: those so far from the rest that in a fleet of equal hosts, whose numbers are
 *    normal, none would be named in 95 of 100 comparisons.  The rest is what lies between the
 *    farthest eight of either side, which cannot make itself look wide.
 */
#ifndef ANALYZE_HOSTS_H
#define ANALYZE_HOSTS_H

#include "analyze/runs.h"
#include "profile/spread.h"

/* On which side of a comparison a host is an outlier, or in its own change. */
enum outlier_side { OUTLIER_BEFORE, OUTLIER_AFTER, OUTLIER_CHANGE };
extern const char *const outlier_sides[]; /* "before", "after", "change" */

/* A host that differs from the rest of the fleet in one operation. */
struct outlier_host {
	struct str host;
	const struct ranked *of;
	enum outlier_side side; /* OUTLIER_CHANGE: from itself, of paired nights */
	enum spread_feature feature;
	double octaves;	   /* from the middle of the rest */
	double deviations; /* the same in standard deviations of the rest */
	bool before_too;   /* of one after: it was outlier in the same way before */
};

/* What a comparison by host found beyond the verdicts of operations. */
struct hosts_findings {
	size_t n_before, n_after; /* hosts; of pairs both are the number of pairs */
	size_t missing_before, missing_after;
	bool paired;
	struct outlier_host *outlier; /* the farthest first; of one operation of a host only that */
	size_t n_outliers;
	double deviations; /* from which on a host is outlier, where all hosts have the operation */
};

/* As runs_judge(), of two sums by host.  `differences` of paired nights; else NULL. */
struct runs_judgement hosts_judge(struct arena *a, const struct profile *before,
				  const struct profile *after, const struct profile *differences,
				  const struct rank_rules *rank_rules,
				  const struct runs_rules *rules, struct ranking *all);
/* An operation among the differences, which are sorted; NULL where it is not. */
const struct operation *hosts_change_of(const struct profile *differences, const struct ranked *r);
/* Of what was judged so; in the arena. */
struct hosts_findings hosts_find(struct arena *a, const struct profile *before,
				 const struct profile *after, const struct profile *differences,
				 const struct runs_rules *rules, const struct ranking *all);

#endif
