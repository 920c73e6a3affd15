/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sends a message to a profiled program, which receives it by osprof_message(). */
#include <string.h>

#include "base/diag.h"
#include "program/command.h"
#include "region/region.h"

static enum exit_status run_send(struct context *cx, const struct settings *s)
{
	const char *to = s->options.load.operand[0], *text = s->options.load.operand[1];

	if (!region_is_source(to)) {
		diag_plain(cx->diag, DIAG_USAGE, "%s: expected pid:N or region:FILE", to);
		return EXIT_ERROR;
	}
	return region_send(to, text, strlen(text), cx->diag) ? EXIT_OK : EXIT_ERROR;
}

const struct command command_send = {
	.id = COMMAND_send,
	.name = "send",
	.operands = "SOURCE TEXT",
	.summary = "Send a message to a program that is profiled",
	.min_operands = 2,
	.max_operands = 2,
	.run = run_send,
};
