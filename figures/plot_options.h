/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the command line says of figures. */
#ifndef FIGURES_PLOT_OPTIONS_H
#define FIGURES_PLOT_OPTIONS_H

#include "plotting/terminal.h"
#include "profile/amount.h"

/* The options of figures. */
struct plot_options {
	struct str title;
	struct look look; /* `terminal` NULL: by suffix */
	char font[64];	  /* what look.font points to, once it is given */
	struct amount x_from, x_to, y_from, y_to;
	enum unit axis_unit; /* UNIT_UNKNOWN: as it is read best */
};

/* No option given: defaults by suffix and by content. */
extern const struct plot_options plot_options_none;

/* NULL when the argument was taken, else what was expected. */
const char *take_size(struct plot_options *w, const char *arg);
const char *take_font(struct plot_options *w, const char *arg);
const char *take_range(struct amount *from, struct amount *to, const char *arg);

#endif
