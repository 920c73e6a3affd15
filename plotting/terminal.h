/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kinds of files a figure can become, and how it looks there. */
#ifndef PLOTTING_TERMINAL_H
#define PLOTTING_TERMINAL_H

#include "plotting/figure.h"

/* What sizes of a kind of file are counted in. */
enum terminal_units { UNITS_PIXELS, UNITS_INCHES, UNITS_CHARACTERS };

/* One kind of file that gnuplot writes. A constant. */
struct terminal {
	const char *name;    /* "png": as typed, and the suffix of the file */
	const char *title;   /* in lists */
	const char *gnuplot; /* its name there */
	enum terminal_units units;
	bool latex;	 /* words are for LaTeX */
	bool background; /* has to be painted: pages show through else */
	bool shown;	 /* by browsers, as an image of a page */
};

const struct terminal *terminal_at(size_t i); /* NULL past the last */
bool terminal_by_name(struct str name, const struct terminal **ret);

/* Which colours a figure has: safe for colour-blind readers, greys, or as in the paper. */
enum palette { PALETTE_SAFE, PALETTE_GREY, PALETTE_PAPER };

/* The colours of one role. */
struct colour_look {
	unsigned fill, border; /* 0xRRGGBB */
};
/* How a colour is drawn with a palette. */
struct colour_look colour_look(enum palette p, enum colour colour);
const char *colour_name(enum colour colour); /* in scripts: "first" */

/* How a figure is to look, as the user chose. */
struct look {
	const struct terminal *terminal;
	enum palette palette;
	double width, height; /* pixels, of a text characters; 0: as the figure needs */
	const char *font;     /* NULL: the usual one */
	double font_size;     /* points; 0: the usual one */
};

/* Pixels or characters. */
struct sheet {
	double width, height;
	double letter, line; /* of a letter of usual width, of a line */
};
/* The sheet that a figure is drawn on. */
struct sheet look_canvas(const struct look *look, const struct figure *f);

#endif
