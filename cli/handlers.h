/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Passes the results of a comparison to handlers of plug-ins. */
#ifndef CLI_HANDLERS_H
#define CLI_HANDLERS_H

#include <stdbool.h>

#include "base/attr.h"

struct comparison;
struct diag;
struct settings;

/* Checks before long work that all plug-ins of --handler exist and can be trusted. */
MUST_CHECK bool handlers_check(const struct settings *s, struct diag *diag);
/* Gives each handler both runs, the verdicts and the alarms, and waits until it is done. Handlers
 * may send messages to runs that are read in place (pid:N, region:FILE). Their failures are
 * reported as warnings. */
void handlers_report(const struct settings *s, const struct comparison *c, struct diag *diag);

#endif
