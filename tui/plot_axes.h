/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by tui/plot*.c only: the layout of a plot, its axes and its peaks. */
#ifndef TUI_PLOT_AXES_H
#define TUI_PLOT_AXES_H

#include "tui/plot.h"

enum { PLOT_GUTTER = 8 }; /* left of the bars: labels and the axis */

/* The smallest and the largest value of a chart. */
struct range {
	double min, max; /* zeros excluded */
};

/* The layout of a plot on its canvas, in cells. */
struct frame {
	struct canvas *canvas;
	const struct chart *chart;
	unsigned top, left, rows; /* area of the bars */
	unsigned width;		  /* width of a column of the chart */
	unsigned peak_rows, label_rows;
	enum { AXIS_LINEAR, AXIS_LOGARITHMIC, AXIS_SYMMETRIC, AXIS_SHARE } axis;
	double from, to; /* ends of the axis; decimal logarithms on a logarithmic one */
};

/* False when there is no room for a plot. */
bool frame_make(struct frame *ret, struct canvas *c, const struct chart *chart,
		const struct plot *p, struct range range);
/* Returns the position of a value between the ends of the axis: 0 to 1, or -1 to 1 for a
 * difference. */
double frame_part(const struct frame *f, double v);
void frame_draw(const struct frame *f, const struct plot *p);

#endif
