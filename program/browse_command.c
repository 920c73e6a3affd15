/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The options of osprof-tui; also used for completions. */
#include "program/browse_command.h"

const struct command command_browse = {
	.id = COMMAND_tui,
	.name = "osprof-tui",
	.operands = "BEFORE [AFTER]",
	.summary = "Browses one run, or what differs between two; ? lists its keys",
	.max_operands = 2,
	.sides = true,
	.alone = true,
};
