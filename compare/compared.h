/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two sides, opened, compared and judged. */
#ifndef COMPARE_COMPARED_H
#define COMPARE_COMPARED_H

#include "analyze/hosts.h"
#include "compare/load.h"
#include "compare/policy_file.h"
#include "report/report.h"

struct arena;

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

#endif
