/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "program/command.h"

#include <stdio.h>
#include <string.h>

#include "base/out.h"

bool command_prints(const struct command *c, enum output_format format)
{
	unsigned formats = c->output_formats;

	if ((formats & 1U << OUTPUT_FORMAT_MARKDOWN) != 0)
		formats |= 1U << OUTPUT_FORMAT_HTML;
	return (formats & 1U << format) != 0;
}

const char *command_prefix(const struct command *c)
{
	return c->alone ? "" : "osprof ";
}

void command_help(struct out *o, const struct command *c)
{
	out_printf(o, "usage: %s%s [options] %s\n%s.\n", command_prefix(c), c->name, c->operands,
		   c->summary);
	if (c->sides)
		out_text(o, "Repeated runs: a folder, or A... -- B...\n");
	if (c->more_help != NULL)
		c->more_help(o);
	out_char(o, '\n');
	for (size_t i = 0; option_at(i) != NULL; i++) {
		const struct option_row *row = option_at(i);
		bool optional = row->arg != NULL && row->arg[0] == '[';
		char left[64];

		if (!option_is_of(row, c->id))
			continue;
		(void)snprintf(left, sizeof(left), "--%s%s%s", row->name,
			       row->arg != NULL && !optional ? " " : "",
			       row->arg != NULL ? row->arg : "");
		if (row->letter != 0)
			out_printf(o, "  -%c, %-26s %s\n", row->letter, left, row->help);
		else
			out_printf(o, "      %-26s %s\n", left, row->help);
	}
	out_printf(o, "\n%s%s(1) describes these options.\n", c->alone ? "" : "osprof-", c->name);
}
