/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a folder of figures: one for each reported operation, and a page that shows them. */
#ifndef PLOTTING_COMMANDS_FIGURES_ALL_H
#define PLOTTING_COMMANDS_FIGURES_ALL_H

#include "plotting/commands/figures.h"
#include "plotting/commands/plotted.h"

/* Of runs that are not compared, draws the operations that plotted_choose() chose.  Creates the
 * folder if it is missing. */
MUST_CHECK bool figures_all(struct plotted *p, const struct figure_kind *kind,
			    const struct figure_target *target, const char *path,
			    struct diag *diag);

#endif
