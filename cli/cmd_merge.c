/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/command.h"
#include "cli/groups.h"
#include "cli/load.h"
#include "cli/write.h"

static enum exit_status run_merge(struct context *cx, const struct settings *s)
{
	enum exit_status status;
	struct loaded l;

	if (!load_run(&l, s->operand, s->n_operands, s, cx->diag))
		return EXIT_TROUBLE;
	status = write_profile(cx, s, l.profile);
	loaded_release(&l);
	return status;
}

static const enum option_id options[] = { OPTIONS_WRITING, OPTIONS_CHOOSING, OPTIONS_READING };

const struct command command_merge = {
	.name = "merge",
	.operands = "IN... -o OUT",
	.summary = "Add profiles up",
	.min_operands = 1,
	.max_operands = MANY_OPERANDS,
	.options = options,
	.n_options = COUNT_OF(options),
	.run = run_merge,
};
