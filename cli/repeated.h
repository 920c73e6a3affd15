/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Repeated runs of one configuration, loaded, and how they differ. */
#ifndef CLI_REPEATED_H
#define CLI_REPEATED_H

#include "analyze/noise.h"
#include "cli/load.h"
#include "cli/policy.h"

struct arena;
struct diag;
struct settings;

struct repeated {
	struct loaded loaded;
	struct policy_file policy;
	struct rank_rules rules;
	struct arena *arena;
	struct noise noise; /* borrows from all of it */
};

/* Of all operands; fewer than three runs are an error. */
MUST_CHECK bool repeated_measure(struct repeated *ret, const struct settings *s, struct diag *diag);
void repeated_release(struct repeated *r);

#endif
