/* SPDX-License-Identifier: GPL-3.0-or-later */
/* osprof-tui, which is no command of osprof: its options, for itself and for completions. */
#ifndef CLI_BROWSE_COMMAND_H
#define CLI_BROWSE_COMMAND_H

#include "cli/command.h"

extern const struct command command_browse;

#endif
