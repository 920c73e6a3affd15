/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Within tui/plot*.c: where things lie on a plot, its axes and its peaks. */
#ifndef TUI_PLOT_AXES_H
#define TUI_PLOT_AXES_H

#include "tui/plot.h"

enum { PLOT_GUTTER = 8 }; /* left of the bars: labels and the axis */

/* The smallest and the largest value of a chart. */
struct range {
	double least, most; /* of what is not zero */
};

/* Where the parts of one plot lie on its canvas, in cells. */
struct frame {
	struct canvas *canvas;
	const struct chart *chart;
	unsigned top, left, rows; /* of the bars' area */
	unsigned width;		  /* of a column of the chart */
	unsigned peak_rows, label_rows;
	enum { AXIS_LINEAR, AXIS_LOGARITHMIC, AXIS_SYMMETRIC, AXIS_SHARE } axis;
	double from, to; /* of the axis; logarithms to base 10 where it is one */
};

/* False when there is no room for a plot. */
bool frame_make(struct frame *ret, struct canvas *c, const struct chart *chart,
		const struct plot *p, struct range range);
/* Where a value lies between the axis' ends, 0 to 1; a difference: -1 to 1. */
double frame_part(const struct frame *f, double v);
void frame_draw(const struct frame *f, const struct plot *p);

#endif
