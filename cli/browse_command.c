/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What osprof-tui takes; completions are made of it, too. */
#include "cli/browse.h"
#include "cli/groups.h"

static const enum option_id options[] = {
	OPTIONS_CHOOSING, OPT_METRIC,  OPT_POLICY,	OPT_QUANTILES,
	OPT_TIMES,	  OPT_ELAPSED, OPTIONS_READING, OPTIONS_READING_CALLS,
	OPT_WATCH,	  OPT_EVERY,   OPT_COLOR,	OPT_ASCII,
	OPT_QUIET,	  OPT_HELP
};

const struct command command_browse = {
	.name = "osprof-tui",
	.operands = "BEFORE [AFTER]",
	.summary = "Browses one run, or what differs between two; ? lists its keys",
	.max_operands = 2,
	.sides = true,
	.alone = true,
	.options = options,
	.n_options = COUNT_OF(options),
};
