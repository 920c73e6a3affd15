/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A comparison of two sides, loaded and judged. */
#ifndef COMPARE_COMPARED_H
#define COMPARE_COMPARED_H

#include "analyze/hosts/hosts.h"
#include "compare/policy_file.h"
#include "load/load.h"
#include "report/report.h"

struct arena;

enum { MAX_CAUTIONS = 8 };

/* A comparison with everything that it borrows from; compared_release() frees it. */
struct compared {
	struct loaded before, after;
	struct policy_file policy;
	struct rank_rules rules;
	struct arena *arena;
	struct ranking ranking;
	struct runs_judgement runs;
	struct profile *differences; /* within each host; NULL: hosts are not paired */
	struct hosts_findings hosts;
	struct caution caution[MAX_CAUTIONS];
	size_t n_cautions;
	struct annotations *annotations; /* see compare_annotations(); NULL: not read */
	char *sidecar;			 /* path of their file; NULL: none */
	struct comparison comparison;	 /* borrows from the members above: do not move */
};

#endif
