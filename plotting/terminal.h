/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The file formats of figures, and their look. */
#ifndef PLOTTING_TERMINAL_H
#define PLOTTING_TERMINAL_H

#include "plotting/figure.h"

/* The unit of sizes in a file format. */
enum terminal_units { UNITS_PIXELS, UNITS_INCHES, UNITS_CHARACTERS };

/* A file format that gnuplot writes; constant. */
struct terminal {
	const char *name;    /* "png": as typed, and the suffix of the file */
	const char *title;   /* in lists */
	const char *gnuplot; /* name of gnuplot's terminal; NULL: drawn without it */
	enum terminal_units units;
	bool latex;	 /* text is processed by LaTeX */
	bool background; /* the background must be painted, because it is transparent */
	bool shown;	 /* browsers show it as an image */
	/* Factor from points to the terminal's font size; 1 if it is in points of 1/72 inch. */
	double font_factor;
	/* Part of the font's size that gnuplot takes for the width of any character; 0: it
	 * measures the font's digits. */
	double character;
};

const struct terminal *terminal_at(size_t i); /* NULL past the last */
bool terminal_by_name(struct str name, const struct terminal **ret);

/* Palettes: safe for colour-blind readers, greys, or as in the paper. */
enum palette { PALETTE_SAFE, PALETTE_GREY, PALETTE_PAPER };

/* What a figure is made for: size, fonts, and what surrounds the panels. */
enum figure_style { STYLE_SCREEN, STYLE_PAPER, STYLE_SLIDES };

/* The colours of one role. */
struct colour_look {
	unsigned fill, border; /* 0xRRGGBB */
};
/* Returns how a palette draws a colour. */
struct colour_look colour_look(enum palette p, enum colour colour);
const char *colour_name(enum colour colour); /* in scripts: "first" */

/* The look of a figure, as chosen by the user. */
struct look {
	const struct terminal *terminal;
	enum figure_style style;
	bool has_style; /* the user chose the style */
	enum palette palette;
	bool has_palette;     /* the user chose the palette */
	double width, height; /* pixels, or characters for text; 0: as the figure needs */
	const char *font;     /* NULL: the default */
	double font_size;     /* points; 0: the default */
	bool color, ascii;    /* of text */
};

/* Returns the palette: the user's, or that of the style. */
enum palette look_palette(const struct look *look);
/* Returns the size of the font in points, as it is printed. */
double look_font_size(const struct look *look);
/* Returns gnuplot's number of a dash type, so that lines differ without colours. */
int look_dash(const struct look *look, enum colour colour);
/* Whether the figure explains itself; papers have captions. */
bool look_has_note(const struct look *look);
/* Returns the width of lines, relative to the usual one. */
double look_line_width(const struct look *look);
/* The size of the drawing area, in pixels. */
struct sheet {
	double width, height; /* height 0: as the panels need */
	double panel;	      /* usual height of a panel */
	double letter, line;  /* width of an average letter, height of a line */
};
/* Returns the drawing area of a figure. */
struct sheet look_canvas(const struct look *look, const struct figure *f);

#endif
