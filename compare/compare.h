/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two sides, loaded and ranked: what rank and distance begin with.
 *
 *	if (!compare_sides(&c, &request, &rules, diag))
 *		return EXIT_ERROR;
 *	... c.ranking ...
 *	compared_release(&c);
 */
#ifndef COMPARE_COMPARE_H
#define COMPARE_COMPARE_H

#include "analyze/hosts.h"
#include "compare/load.h"
#include "compare/policy_file.h"
#include "report/report.h"

struct arena;
struct diag;
struct request;

enum { MAX_CAUTIONS = 8 };

/* A comparison with all that it rests on; compared_release() frees it. */
struct compared {
	struct loaded before, after;
	struct policy_file policy;
	struct rank_rules rules;
	struct arena *arena;
	struct ranking ranking;
	struct runs_judgement runs;
	struct profile *differences; /* of hosts from themselves; NULL: they are not paired */
	struct hosts_findings hosts;
	struct caution caution[MAX_CAUTIONS];
	size_t n_cautions;
	struct annotations *annotations; /* see compare_annotations(); NULL: none were asked for */
	char *sidecar;			 /* where they are kept; NULL: nowhere */
	struct comparison comparison;	 /* borrows from all of it: don't move */
};

/* Reads both sides, compares them and judges each operation.  False when an error was reported:
 * then there is nothing to release.  *ret borrows from the request, and may not be moved. */
MUST_CHECK bool compare_sides(struct compared *ret, const struct request *q,
			      const struct rank_rules *rules, struct diag *diag);
/* Reads the annotations that lie next to the run after (compare/sidecar.h); verdicts that they
 * mark as expected do not fail.  False when an error was reported. */
MUST_CHECK bool compare_annotations(struct compared *c, const struct request *q, struct diag *diag);
/* Warns when the runs of a side drifted. */
void report_drift(const char *path, const struct drift *d, struct diag *diag);

/* Frees both sides and the comparison. */
void compared_release(struct compared *c);

#endif
