/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A folder of figures: one for each reported operation, and a page that shows them. */
#ifndef CLI_FIGURES_ALL_H
#define CLI_FIGURES_ALL_H

#include "cli/figures.h"
#include "cli/plotted.h"

/* Of runs that were compared; makes the folder where it is missing. */
MUST_CHECK bool figures_all(struct plotted *p, const struct figure_kind *kind,
			    const struct figure_target *target, const char *path,
			    struct diag *diag);

#endif
