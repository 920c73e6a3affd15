/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by plotting/text*.c only: a panel in characters. */
#ifndef PLOTTING_TEXT_PANEL_H
#define PLOTTING_TEXT_PANEL_H

#include "canvas/canvas.h"
#include "plotting/figure.h"

/* A panel that is being drawn; its data lie within `area`. */
struct text_panel {
	const struct panel *p;
	struct canvas area;
	uint8_t *dots;	/* of lines: bits of a braille character for each cell of the area */
	uint8_t *face;	/* of the dots */
	double *depth;	/* of cells: the value that is shown */
	uint8_t *owner; /* of bars: 1 + the colour that is shown */
};

/* Cells from `from` to before `to`. */
struct stretch {
	unsigned from, to;
};

/* Draws series and marks. */
void text_panel_draw(struct text_panel *t);

/* Returns the face of a colour. */
enum face text_face(enum colour colour);
/* Returns the character that fills bars of a colour, among bars of others. */
uint32_t text_fill(const struct glyphs *g, enum colour colour);
/* Draws a sample of a series of the panel for its key; returns the column after it. */
unsigned text_sample(struct canvas *c, unsigned row, unsigned col, const struct panel *p,
		     const struct series *s);
/* Draws a cell of this value; returns the column after it. */
unsigned text_cell(struct canvas *c, unsigned row, unsigned col, const struct color_scale *scale,
		   double value);
/* Writes text that may come from files, cut to `width` columns; returns the column after it. */
unsigned text_words(struct canvas *c, unsigned row, unsigned col, enum face face, struct str words,
		    size_t width);

/* Draws a series of bars; of ranges; of horizontal bars; of cells; a mark. */
void text_bars(struct text_panel *t, const struct series *s);
void text_band(struct text_panel *t, const struct series *s);
void text_levels(struct text_panel *t, const struct series *s);
void text_map(struct text_panel *t, const struct series *s);
void text_mark(struct text_panel *t, const struct mark *m);

/* The axes of a series. */
const struct axis *text_x(const struct text_panel *t, const struct series *s);
const struct axis *text_y(const struct text_panel *t, const struct series *s);
/* Returns the position on an axis, within 0 to 1; NAN if there is none. */
double text_part(const struct axis *x, double at);
/* Returns the point at a part of the way from low to high on an axis. */
double text_between(const struct axis *x, double low, double high, double part);
/* Returns the cells of n that lie between two parts of an axis: at least one, none if NAN. */
struct stretch text_cells(double low, double high, unsigned n);
struct stretch text_columns(const struct text_panel *t, const struct axis *x, double low,
			    double high);
/* Rows count from the top. */
struct stretch text_rows(const struct text_panel *t, const struct axis *y, double low, double high);
/* Returns the cell of n at a part of an axis. */
unsigned text_index(double part, unsigned n);
/* Counts the series of a shape that have data. */
size_t text_count(const struct panel *p, enum shape shape);
void text_fill_box(struct text_panel *t, struct stretch columns, struct stretch rows,
		   enum face face, uint32_t code);

#endif
