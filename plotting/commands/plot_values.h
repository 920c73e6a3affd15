/* SPDX-License-Identifier: GPL-3.0-or-later */
/* osprof plot: figures of the variables that were recorded with calls. */
#ifndef PLOTTING_COMMANDS_PLOT_VALUES_H
#define PLOTTING_COMMANDS_PLOT_VALUES_H

#include "plotting/commands/figures.h"

struct figure_kind;
struct plot_options;
struct load_options;

/* The result of plot_values(). */
enum values_plotted {
	VALUES_PLOTTED,
	VALUES_FAILED,	/* an error was reported */
	VALUES_OF_NONE, /* calls have no recorded variables; it may be a value profile */
};

/* Draws the variable that separates the peaks. */
enum values_plotted plot_values(const struct figure_kind *kind, const struct figure_target *target,
				const struct plot_options *options, const struct load_options *q,
				uint64_t seed, struct diag *diag);

#endif
