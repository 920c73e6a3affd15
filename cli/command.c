/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/command.h"

#include <stdio.h>
#include <string.h>

#include "base/out.h"

#define COMMAND(name, groups) extern const struct command command_##name;
#include "options/commands.def"

static const struct command *const commands[] = {
#define COMMAND(name, groups) &command_##name,
#include "options/commands.def"
};

const struct command *command_at(size_t i)
{
	return i < COUNT_OF(commands) ? commands[i] : NULL;
}

const struct command *command_by_name(struct str name)
{
	for (size_t i = 0; i < COUNT_OF(commands); i++) {
		if (str_eq(str_from(commands[i]->name), name))
			return commands[i];
	}
	return NULL;
}

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

void command_list(struct out *o)
{
	out_text(o, "usage: osprof COMMAND [options] ...\n\n");
	for (size_t i = 0; i < COUNT_OF(commands); i++)
		out_printf(o, "  %-11s %-22s %s\n", commands[i]->name, commands[i]->operands,
			   commands[i]->summary);
	out_text(o, "\n"
		    "A RUN is a file, - for standard input, or a folder of repeated runs.\n"
		    "`osprof help COMMAND` lists the options of a command, osprof-COMMAND(1) "
		    "describes\n"
		    "them, and osprof(1) has an index of tasks.\n");
}
