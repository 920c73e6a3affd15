/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options of osprof watch that are not taken as text. */
#ifndef CLI_WATCHING_OPTIONS_H
#define CLI_WATCHING_OPTIONS_H

#include "cli/settings.h"

/* False when an error was reported. */
MUST_CHECK bool take_watching_option(struct settings *s, enum option_id id, const char *arg,
				     struct diag *diag);

#endif
