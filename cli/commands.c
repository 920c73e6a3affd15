/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/commands.h"

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
