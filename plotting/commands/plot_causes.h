/* SPDX-License-Identifier: GPL-3.0-or-later */
/* osprof plot: figures of the causes of slow calls. */
#ifndef PLOTTING_COMMANDS_PLOT_CAUSES_H
#define PLOTTING_COMMANDS_PLOT_CAUSES_H

#include "plotting/commands/figures.h"

struct figure_kind;
struct plot_options;
struct causes_options;
struct load_options;

/* Draws a figure of call trees; false when an error was reported. */
MUST_CHECK bool plot_causes(const struct figure_kind *kind, const struct figure_target *target,
			    const struct plot_options *options, const struct load_options *q,
			    const struct causes_options *causes, unsigned depth, struct diag *diag);

#endif
