/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A figure: panels with axes, series and marks, in numbers and text.
 *
 * A figure says what is drawn; the emitter decides how.  Everything is allocated in an arena.
 * Text may come from input files; the emitter escapes it.
 */
#ifndef PLOTTING_FIGURE_H
#define PLOTTING_FIGURE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

struct arena;

/* The role of a colour; palettes map it to an actual colour. */
enum colour {
	COLOUR_FIRST, /* the run before, or the only one */
	COLOUR_SECOND,
	COLOUR_THIRD,
	COLOUR_FOURTH,
	COLOUR_FIFTH,
	COLOUR_SIXTH,
	COLOUR_FIRST_PALE, /* paler colours for the same runs */
	COLOUR_SECOND_PALE,
	COLOUR_WORSE,
	COLOUR_BETTER,
	COLOUR_DIM,
	COLOUR_GAP, /* where nothing was measured */
};
enum { N_COLOURS = COLOUR_GAP + 1, N_RUN_COLOURS = COLOUR_SIXTH + 1 };

/* The shape of a series, with the columns of its rows. */
enum shape {
	SHAPE_BARS,	 /* low, high, value: bars from the baseline of the y axis */
	SHAPE_BAND,	 /* low, high, least, most: a box */
	SHAPE_LEVELS,	 /* value, low, high: horizontal bars from the baseline of the x axis */
	SHAPE_LINE,	 /* x, y; the line is interrupted where y is NAN */
	SHAPE_POINTS,	 /* x, y */
	SHAPE_AREA,	 /* x, least, most */
	SHAPE_CELLS,	 /* low, high, start, end, value: boxes coloured by value */
	SHAPE_INTERVALS, /* x, low, high, y: points with a horizontal line from low to high */
	SHAPE_COLUMNS,	 /* x, y, value: 3D boxes whose height and colour show the value */
};
enum { MAX_COLUMNS = 5 };

/* The look of a point; points that stand out differ in shape, not only in colour. */
enum point { POINT_DOT, POINT_CROSS, POINT_RING };

/*
 * Data of one kind in a panel: the same shape and colour, one row of numbers for each thing
 * drawn.
 */
struct series {
	const char *name;    /* name of its data block: a constant, one word */
	struct str title;    /* in the key; empty: no entry */
	const char *columns; /* names of the columns, for people who edit the script */
	enum shape shape;
	enum point point; /* for SHAPE_POINTS */
	enum colour colour;
	double from, to; /* part of a bucket's width that its bar fills, within 0 to 1;
			  * SHAPE_COLUMNS: width and depth */
	bool right;	 /* uses the y axis on the right; SHAPE_LEVELS: the x axis above */
	bool apart;	 /* SHAPE_CELLS: draw a line between adjacent cells */
	double *cell;	 /* n_rows x shape_columns() values */
	size_t n_rows;
};

/* A labelled position on an axis. */
struct tick {
	double at;
	struct str label;
};

/* One axis of a panel. */
struct axis {
	struct str label;
	bool logarithmic;
	double from, to; /* visible range */
	double baseline; /* where bars begin */
	struct tick *tick;
	size_t n_ticks;	 /* 0: no axis is drawn */
	bool named;	 /* ticks are names; none is left out */
	bool unlabelled; /* ticks have no labels, because the next panel has them */
};

/* How a mark is drawn. */
enum mark_shape {
	MARK_PEAK,  /* a line along a peak's extent, a triangle at its mode */
	MARK_BREAK, /* a line across the panel at `at` */
	MARK_WORDS, /* text at (`at`, `height`) */
};

/* An annotation in a panel. */
struct mark {
	enum mark_shape shape;
	enum colour colour;
	double at, low, high; /* on the x axis */
	double height;	  /* MARK_PEAK: number of its row from the top; MARK_WORDS: on the y axis */
	struct str words; /* may be empty */
};

/* The colour scale of cells and columns. */
struct color_scale {
	bool diverging; /* diverges from 0 for fewer and more */
	bool pale;	/* without its darkest colours, for cells with text on them */
	double from, to;
	struct str label;
	struct tick *tick;
	size_t n_ticks;
};

/* One coordinate system of a figure, with its axes, series and marks. */
struct panel {
	struct str name; /* above the panel, at its left end */
	struct axis x, above, y, right;
	struct series *series;
	size_t n_series;
	struct mark *mark;
	size_t n_marks;
	bool has_key; /* show the key, above the first panel for all panels */
	bool own_key; /* has_key applies to this panel, even if it is not the first */
	const struct color_scale *color; /* of cells and columns; NULL: none */
	bool has_colors;		 /* show the colour scale next to this panel */
	bool has_grid;
	bool blank;	  /* leave this place of the page free */
	struct str empty; /* message in the middle when there is nothing to draw */
};

/* A whole figure; allocated in an arena. */
struct figure {
	struct str title;
	struct str caption; /* a sentence that says what is shown */
	struct str note; /* below the panels: explains what has no entry in a key; may be empty */
	struct panel *panel;
	size_t n_panels;
	size_t n_across; /* panels side by side; 1: stacked */
	bool shared_x;	 /* stacked panels share their x axes; only the outer ones have labels */
	bool in_space;	 /* 3D: x, y and a height */
	const double *widths;  /* of columns, relative to each other; NULL: equal */
	const double *heights; /* of rows */
	size_t n_unmarked;     /* peaks without a mark; only those of the most calls are marked */
	double panel_height;   /* height of a stacked panel, relative to the default */
};

/* Panels in two columns from this number on. */
enum { MIN_PANELS_OF_TWO_COLUMNS = 6 };
/* Returns the number of columns for n panels that are stacked otherwise. */
size_t columns_for_panels(size_t n);

/* Returns the number of columns of a series of this shape. */
size_t shape_columns(enum shape s);

/* Returns an empty series with room for n rows. */
struct series series_of(struct arena *a, const char *name, enum shape shape, enum colour colour,
			size_t n);
/* Adds a row of shape_columns() numbers. */
void series_add(struct series *s, const double *row);

/* Returns the position on an axis, 0 at its beginning to 1 at its end. */
double axis_across(const struct axis *x, double at);

/* Shortens text in the middle to at most `most` characters. */
struct str words_cut(struct arena *a, struct str s, size_t max);
/* Formats a time in ns: "4.12 ms". */
struct str words_of_ns(struct arena *a, double time);

#endif
