/* SPDX-License-Identifier: GPL-3.0-or-later */
/* osprof plot: figures of per-call records. */
#ifndef PLOTTING_COMMANDS_PLOT_CALLS_H
#define PLOTTING_COMMANDS_PLOT_CALLS_H

#include "plotting/commands/figures.h"

struct figure_kind;
struct plot_options;
struct load_options;

/* Draws a figure of per-call records; false when an error was reported. */
MUST_CHECK bool plot_calls(const struct figure_kind *kind, const struct figure_target *target,
			   const struct plot_options *options, const struct load_options *q,
			   struct diag *diag);

#endif
