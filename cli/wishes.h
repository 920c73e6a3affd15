/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the command line says of figures. */
#ifndef CLI_WISHES_H
#define CLI_WISHES_H

#include "plotting/terminal.h"
#include "profile/unit.h"

/* An end of a range: a number, and perhaps a unit behind it. */
struct wished_end {
	double value;	/* NAN: not given */
	enum unit unit; /* UNIT_UNKNOWN: that of the run */
};

struct figure_wishes {
	struct str title;
	struct look look; /* `terminal` NULL: by suffix */
	char font[64];	  /* what look.font points to, once it is given */
	struct wished_end x_from, x_to, y_from, y_to;
	enum unit axis_unit; /* UNIT_UNKNOWN: as it is read best */
};

extern const struct figure_wishes figure_wishes_none;

/* NULL when the argument was taken, else what was expected. */
const char *take_size(struct figure_wishes *w, const char *arg);
const char *take_font(struct figure_wishes *w, const char *arg);
const char *take_terminal(struct figure_wishes *w, const char *arg);
const char *take_range(struct wished_end *from, struct wished_end *to, const char *arg);
const char *take_axis_unit(struct figure_wishes *w, const char *arg);

#endif
