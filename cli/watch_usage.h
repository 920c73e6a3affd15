/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which options of osprof watch go together. */
#ifndef CLI_WATCH_USAGE_H
#define CLI_WATCH_USAGE_H

#include "base/attr.h"
#include "cli/settings.h"

/* False, with an error reported, where an option would have no effect beside the others, or
 * sources are missing: nothing that was asked for is left out in silence. */
MUST_CHECK bool watch_usage_check(const struct settings *s, struct diag *diag);

#endif
