/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions shared by the files that write gnuplot scripts. */
#ifndef PLOTTING_GNUPLOT_WORDS_H
#define PLOTTING_GNUPLOT_WORDS_H

#include "plotting/figure.h"
#include "plotting/terminal.h"

struct out;

/* A gnuplot script that is being written; all pointers are borrowed. */
struct script {
	struct out *o;
	const struct figure *f;
	const struct look *look;
	struct sheet canvas;
	double width, height;		  /* of all panels of a row or column, in pixels */
	double panel_width, panel_height; /* size of the present panel */
};

/* Writes a number in gnuplot's syntax, independent of the locale. */
void script_number(struct script *s, double v);
void script_position(struct script *s, double v);      /* on an axis, with six digits */
void script_words(struct script *s, struct str words); /* as a string literal */
/* Estimates the width of text, in pixels. */
double script_words_width(const struct script *s, struct str words);
/* Writes text as a string literal, shortened in the middle to `width`, but to no less than a dozen
 * characters. */
void script_words_within(struct script *s, struct str words, double width);
/* Writes the ticks; `shown` are those with a label; NULL: all. */
void script_ticks(struct script *s, const char *axis, const struct tick *tick, size_t n,
		  const bool *shown);
void script_range(struct script *s, const char *axis, double from, double to);
void script_data(struct script *s, size_t panel, size_t k); /* the data block of a series */
void script_data_name(struct script *s, size_t panel, size_t k);

/* Writes how a series is drawn: columns and style. */
void script_series(struct script *s, const struct panel *p, const struct series *r);
/* Lines that the labels of an axis need, below or above a panel. */
double script_axis_lines(const struct axis *x);
double script_above_lines(const struct axis *x);
/* Lines above panel i for its name and its key. */
double script_strip_lines(const struct script *s, size_t i);
/* Lines below the panels for the figure's note. */
double script_note_lines(const struct script *s);
/* Writes where the key of panel i is, if it has one: above it, on the right. */
void script_key(struct script *s, size_t i);
/* Writes the name of panel i, above it. */
void script_name(struct script *s, size_t i);
/* Writes the title of the figure, and its note. */
void script_title_and_note(struct script *s);

/* Writes the name of panel i, its peaks and other marks. */
void script_marks(struct script *s, const struct panel *p, size_t i);

/* Writes a panel of a 3D figure. */
void script_space(struct script *s, size_t panel);
/* Writes a colour scale. */
void script_palette(struct script *s, const struct color_scale *c);

#endif
