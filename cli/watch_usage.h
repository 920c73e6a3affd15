/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks which options of osprof watch can be combined. */
#ifndef CLI_WATCH_USAGE_H
#define CLI_WATCH_USAGE_H

#include "base/attr.h"
#include "program/settings.h"

/* Reports an error and returns false if an option would have no effect with the others, or sources
 * are missing: no option is silently ignored. */
MUST_CHECK bool watch_usage_check(const struct settings *s, struct diag *diag);

#endif
