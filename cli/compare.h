/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two sides, loaded and ranked: what rank and distance begin with. */
#ifndef CLI_COMPARE_H
#define CLI_COMPARE_H

#include "cli/load.h"
#include "report/report.h"

struct arena;
struct diag;
struct settings;

struct compared {
	struct loaded before, after;
	struct arena *arena;
	struct ranking ranking;
	struct comparison comparison; /* borrows from all of it: don't move */
};

MUST_CHECK bool compare_sides(struct compared *ret, const struct settings *s,
			      const struct rank_rules *rules, struct diag *diag);
void compared_release(struct compared *c);

#endif
