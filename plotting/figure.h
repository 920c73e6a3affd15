/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A figure: panels with axes, series and marks, in numbers and words.
 *
 * What is drawn is settled here; how, is the emitter's business.  All of it lies in an
 * arena.  Words may come from a file: whoever writes them escapes them.
 */
#ifndef PLOTTING_FIGURE_H
#define PLOTTING_FIGURE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

struct arena;

/* What a colour stands for; palettes say which it is. */
enum colour {
	COLOUR_FIRST, /* the run before, or the only one */
	COLOUR_SECOND,
	COLOUR_THIRD,
	COLOUR_FOURTH,
	COLOUR_FIFTH,
	COLOUR_SIXTH,
	COLOUR_FIRST_PALE, /* the same runs, after something */
	COLOUR_SECOND_PALE,
	COLOUR_WORSE,
	COLOUR_BETTER,
	COLOUR_DIM,
};
enum { N_COLOURS = COLOUR_DIM + 1, N_RUN_COLOURS = COLOUR_SIXTH + 1 };

/* Columns of a row, by shape. */
enum shape {
	SHAPE_BARS,    /* low, high, value: from the foot of the y axis */
	SHAPE_BAND,    /* low, high, least, most: a box */
	SHAPE_LEVELS,  /* value, low, high: a bar that lies, from the foot of the x axis */
	SHAPE_LINE,    /* x, y */
	SHAPE_POINTS,  /* x, y */
	SHAPE_AREA,    /* x, least, most */
	SHAPE_CELLS,   /* low, high, start, end, value: colour is the value */
	SHAPE_COLUMNS, /* x, y, value: boxes in space, as high as the value and coloured by it */
};
enum { MAX_COLUMNS = 5 };

/* What a point looks like; those that stand out are distinguished without colours, too. */
enum point { POINT_DOT, POINT_CROSS, POINT_RING };

/*
 * Data of one kind in a panel: the same shape and colour, one row of numbers for each thing
 * drawn.
 */
struct series {
	const char *name;    /* of its data, ours: a word */
	struct str title;    /* in the key; empty: not there */
	const char *columns; /* what they are, for whoever edits the script */
	enum shape shape;
	enum point point; /* of SHAPE_POINTS */
	enum colour colour;
	double from, to; /* the part of a bar's room that it fills, of 0 to 1; columns: how wide
			  * and how deep they are */
	bool right;	 /* the y axis on the right; levels: the x axis above */
	bool apart;	 /* cells: each ends where it does, by a line between it and the next */
	double *cell;	 /* n_rows x the shape's columns */
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
	double from, to; /* what is shown */
	double baseline; /* where bars begin */
	struct tick *tick;
	size_t n_ticks; /* 0: no axis is drawn */
	bool named;	/* ticks are names, and all are reported */
};

/* How a mark is drawn. */
enum mark_shape {
	MARK_PEAK,  /* a line over its extent, a triangle over its summit */
	MARK_BREAK, /* a line across the panel at `at` */
	MARK_WORDS, /* words at `at`, `height` */
};

/* Something that is pointed out in a panel. */
struct mark {
	enum mark_shape shape;
	enum colour colour;
	double at, low, high; /* on the x axis */
	double height;	      /* MARK_PEAK: part of the panel's height; MARK_WORDS: on the y axis */
	struct str words;     /* may be empty */
};

/* One coordinate system of a figure, with its axes, series and marks. */
struct panel {
	struct str name;	/* in the corner */
	struct str title_above; /* of one panel among several; empty: none */
	struct axis x, above, y, right;
	struct series *series;
	size_t n_series;
	struct mark *mark;
	size_t n_marks;
	bool has_key;	 /* of the first panel, for all */
	bool own_key;	 /* and its own where it is another one */
	bool has_colors; /* what the colours mean is shown beside it */
	bool has_grid;
	struct str empty; /* said in its middle when there is nothing to draw */
};

/* What the colours of cells and columns mean. */
struct color_scale {
	bool diverging; /* around 0: less on one side, more on the other */
	double from, to;
	struct str label;
	struct tick *tick;
	size_t n_ticks;
};

/* A whole figure, as an emitter draws it; lives in an arena. */
struct figure {
	struct str title;
	struct str caption; /* what is seen, in a sentence */
	struct panel *panel;
	size_t n_panels;
	size_t n_across; /* panels side by side; 1: stacked */
	bool shared_x;	 /* stacked panels share their x axes: labels at the outside only */
	bool in_space;	 /* x, y and a height */
	struct color_scale color;
	size_t n_unmarked;   /* peaks without a mark: those of the most calls have one */
	double panel_height; /* of a stacked panel, in parts of the usual one */
};

/* How many columns of data a series of this shape has. */
size_t shape_columns(enum shape s);

/* A series of room for n rows. */
struct series series_of(struct arena *a, const char *name, enum shape shape, enum colour colour,
			size_t n);
/* Adds a row of as many numbers as the shape has columns. */
void series_add(struct series *s, const double *row);

/* At most so many characters, the end that tells names apart among them. */
struct str words_cut(struct arena *a, struct str s, size_t most);
/* "4.12 ms", of nanoseconds. */
struct str words_of_ns(struct arena *a, double time);

#endif
