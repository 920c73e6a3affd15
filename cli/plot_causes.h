/* SPDX-License-Identifier: GPL-3.0-or-later */
/* osprof plot of the causes of slow calls. */
#ifndef CLI_PLOT_CAUSES_H
#define CLI_PLOT_CAUSES_H

#include "cli/figures.h"

struct figure_kind;
struct settings;

MUST_CHECK bool plot_causes(const struct figure_kind *kind, const struct figure_target *target,
			    const struct settings *s, struct diag *diag);

#endif
