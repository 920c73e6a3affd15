/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A chart on a canvas: bars or curves, axes in time and in buckets, peaks. */
#ifndef TUI_PLOT_H
#define TUI_PLOT_H

#include "canvas/canvas.h"
#include "tui/chart.h"

/* How two sides share a plot. */
enum plot_mode { PLOT_OVERLAY, PLOT_SIDE_BY_SIDE, PLOT_DIFFERENCE, PLOT_CUMULATIVE };

#define PLOT_NO_CURSOR SIZE_MAX

/* How a chart is drawn. */
struct plot {
	enum plot_mode mode;
	bool linear;			    /* scale of the counts; false: logarithmic */
	bool band;			    /* show the range of the repeated runs */
	size_t cursor;			    /* column of the chart, or PLOT_NO_CURSOR */
	const struct peaks *peaks[N_SIDES]; /* NULL: none are shown */
};

/* Returns how many columns of a chart fit. */
size_t plot_columns(const struct canvas *c, enum plot_mode mode);

/* Draws the histograms of a chart into the canvas. */
void plot_draw(struct canvas *c, const struct chart *chart, const struct plot *p);

/* Draws the legend, "░ before  █ after  ▒ both"; returns the column after it. */
unsigned plot_legend(struct canvas *c, unsigned row, const struct chart *chart,
		     const struct plot *p);

#endif
