/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Handlers of plug-ins that are reported what a comparison found. */
#ifndef CLI_HANDLERS_H
#define CLI_HANDLERS_H

#include <stdbool.h>

#include "base/attr.h"

struct comparison;
struct diag;
struct settings;

/* Before long work: whether all that --handler names is there and may be trusted. */
MUST_CHECK bool handlers_check(const struct settings *s, struct diag *diag);
/* Gives each of them both runs, the verdicts and the alarms, and waits until it is done. What it
 * sends goes to the runs that are read in place (pid:N, region:FILE); what goes wrong in it is a
 * warning. */
void handlers_report(const struct settings *s, const struct comparison *c, struct diag *diag);

#endif
