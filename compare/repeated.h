/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads repeated runs of one configuration and measures how they differ. */
#ifndef COMPARE_REPEATED_H
#define COMPARE_REPEATED_H

#include "analyze/rank/noise.h"
#include "compare/policy_file.h"
#include "load/load.h"

struct arena;
struct diag;
struct compare_options;
struct load_options;

/* Loaded runs and how they differ; repeated_release() frees it. */
struct repeated {
	struct loaded loaded;
	struct policy_file policy;
	struct rank_rules rules;
	struct arena *arena;
	struct noise noise; /* borrows from the members above */
};

/* Loads all operands; false when an error was reported, such as fewer than three runs. */
MUST_CHECK bool repeated_measure(struct repeated *ret, const struct load_options *q,
				 const struct compare_options *how, struct diag *diag);
void repeated_release(struct repeated *r);

#endif
