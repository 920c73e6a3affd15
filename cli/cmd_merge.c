/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/diag.h"
#include "load/expected.h"
#include "load/fold.h"
#include "load/load.h"
#include "profile/profile.h"
#include "program/command.h"
#include "program/write.h"

static enum exit_status run_merge(struct context *cx, const struct settings *s)
{
	enum exit_status status;
	struct profile *sum;
	size_t n_skipped;

	if (s->options.load.n_operands == 0 && s->options.load.files_from == NULL) {
		diag_plain(cx->diag, DIAG_USAGE, "expected inputs, or --files-from");
		return EXIT_ERROR;
	}
	sum = fold_inputs(&s->options.load, &n_skipped, cx->diag);
	if (sum == NULL)
		return EXIT_ERROR;
	expected_report(sum, cx->diag);
	choose_operations(sum, &s->options.load, cx->diag);
	status = write_profile(cx, s, sum);
	profile_free(sum);
	return status;
}

const struct command command_merge = {
	.id = COMMAND_merge,
	.name = "merge",
	.operands = "IN... -o OUT",
	.summary = "Add up profiles",
	.min_operands = 0,
	.max_operands = MANY_OPERANDS,
	.run = run_merge,
};
