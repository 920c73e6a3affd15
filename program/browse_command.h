/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The options of osprof-tui, a program of its own; also used for completions. */
#ifndef PROGRAM_BROWSE_COMMAND_H
#define PROGRAM_BROWSE_COMMAND_H

#include "program/command.h"

extern const struct command command_browse;

#endif
