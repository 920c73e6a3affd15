/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The commands of osprof.  One command, one file cli/cmd_<name>.c, one exported
 * `command_<name>`, one line in options/commands.def.
 */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "program/command.h"

const struct command *command_at(size_t i); /* NULL past the last */
const struct command *command_by_name(struct str name);
void command_list(struct out *o);

#endif
