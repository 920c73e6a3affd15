/* SPDX-License-Identifier: GPL-3.0-or-later */
/* osprof plot of per-call records. */
#ifndef CLI_PLOT_CALLS_H
#define CLI_PLOT_CALLS_H

#include "cli/figures.h"

struct figure_kind;
struct settings;

MUST_CHECK bool plot_calls(const struct figure_kind *kind, const struct figure_target *target,
			   const struct settings *s, struct diag *diag);

#endif
