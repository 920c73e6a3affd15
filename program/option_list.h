/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All options, in the order of help: those of runs (options/options.h), and those that only programs
 * have, whose values are members of struct settings.
 */
#ifndef PROGRAM_OPTION_LIST_H
#define PROGRAM_OPTION_LIST_H

#include "options/options.h"

const struct option_row *option_at(size_t i); /* NULL past the last */
/* Returns the option of a command with this name, or NULL. */
const struct option_row *option_of(enum command_id command, const char *name);

#endif
