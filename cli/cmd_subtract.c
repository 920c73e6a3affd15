/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/diag.h"
#include "load/load.h"
#include "profile/subtract.h"
#include "program/command.h"
#include "program/write.h"

static enum exit_status write_rest(struct context *cx, const struct settings *s,
				   const struct profile *whole, const struct profile *part)
{
	struct profile *rest = profile_subtract(whole, part, cx->diag);
	enum exit_status status;

	if (rest == NULL)
		return EXIT_ERROR;
	if (rest->n_ops == 0)
		diag_plain(cx->diag, DIAG_NO_OPERATIONS, "the part is all of the whole");
	status = rest->n_ops > 0 ? write_profile(cx, s, rest) : EXIT_ERROR;
	profile_free(rest);
	return status;
}

static enum exit_status run_subtract(struct context *cx, const struct settings *s)
{
	enum exit_status status;
	struct loaded whole, part;

	if (!load_run(&whole, s->options.load.operand, 1, &s->options.load, cx->diag))
		return EXIT_ERROR;
	if (!load_run(&part, s->options.load.operand + 1, 1, &s->options.load, cx->diag)) {
		loaded_release(&whole);
		return EXIT_ERROR;
	}
	status = write_rest(cx, s, whole.profile, part.profile);
	loaded_release(&part);
	loaded_release(&whole);
	return status;
}

const struct command command_subtract = {
	.id = COMMAND_subtract,
	.name = "subtract",
	.operands = "WHOLE PART -o OUT",
	.summary = "Take a profile out of another that contains it",
	.min_operands = 2,
	.max_operands = 2,
	.run = run_subtract,
};
