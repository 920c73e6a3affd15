/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/diag.h"
#include "load/load.h"
#include "program/command.h"
#include "program/write.h"

static enum exit_status run_convert(struct context *cx, const struct settings *s)
{
	enum exit_status status = EXIT_OK;
	struct loaded l;

	if (!load_run(&l, s->options.load.operand, 1, &s->options.load, cx->diag))
		return EXIT_ERROR;
	if (l.n_files > 1) {
		diag_plain(cx->diag, DIAG_USAGE, "%s holds %zu files; osprof merge adds them up",
			   s->options.load.operand[0], l.n_files);
		status = EXIT_ERROR;
	} else {
		if (loaded_baseline(&l) != NULL)
			diag_plain(cx->diag, DIAG_NOT_REPRESENTABLE,
				   "%s is a baseline of %zu runs; their sum is written",
				   s->options.load.operand[0], l.n_runs);
		status = write_profile(cx, s, l.profile);
	}
	loaded_release(&l);
	return status;
}

const struct command command_convert = {
	.id = COMMAND_convert,
	.name = "convert",
	.operands = "IN -o OUT",
	.summary = "Write a profile in another format or resolution",
	.min_operands = 1,
	.max_operands = 1,
	.run = run_convert,
};
