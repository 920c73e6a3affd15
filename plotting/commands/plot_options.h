/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Command-line options of figures. */
#ifndef PLOTTING_COMMANDS_PLOT_OPTIONS_H
#define PLOTTING_COMMANDS_PLOT_OPTIONS_H

#include "plotting/terminal.h"
#include "profile/amount.h"

/* The options of figures. */
struct plot_options {
	struct str title;
	struct look look; /* `terminal` NULL: chosen by suffix */
	char font[64];	  /* storage for look.font, if the option is given */
	struct amount x_from, x_to, y_from, y_to;
	bool bucket_numbers;
	bool share;	     /* draw shares of calls */
	bool tail;	     /* draw the calls that are slower */
	bool total;	     /* draw the total latency of intervals */
	bool in_space;	     /* a map in three dimensions */
	enum unit axis_unit; /* UNIT_UNKNOWN: chosen for readability */
};

/* The values without options: defaults depend on the suffix and the content. */
extern const struct plot_options plot_options_none;

/* Parse the argument of an option; return NULL, or what was expected instead. */
const char *take_size(struct plot_options *w, const char *arg);
const char *take_font(struct plot_options *w, const char *arg);
const char *take_range(struct amount *from, struct amount *to, const char *arg);

#endif
