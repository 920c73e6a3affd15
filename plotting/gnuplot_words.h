/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What all parts of a script for gnuplot are written with. */
#ifndef PLOTTING_GNUPLOT_WORDS_H
#define PLOTTING_GNUPLOT_WORDS_H

#include "plotting/figure.h"
#include "plotting/terminal.h"

struct out;

/* A gnuplot script while it is written; all is borrowed. */
struct script {
	struct out *o;
	const struct figure *f;
	const struct look *look;
	struct sheet canvas;
	double panel_width, panel_height; /* of each, in pixels or characters */
};

/* Writes a number as gnuplot reads it, whatever the locale. */
void script_number(struct script *s, double v);
void script_position(struct script *s, double v);      /* on an axis: six digits are enough */
void script_words(struct script *s, struct str words); /* as a string literal */
/* About how wide they are, in pixels or characters. */
double script_words_width(const struct script *s, struct str words);
/* The same, shortened in the middle to that width, but to no less than a dozen letters. */
void script_words_within(struct script *s, struct str words, double width);
double script_across(const struct axis *x, double at); /* from 0 to 1 */
/* One tick in `every` has its label; 0: none has. */
void script_ticks(struct script *s, const char *axis, const struct tick *tick, size_t n,
		  size_t every);
void script_range(struct script *s, const char *axis, double from, double to);
void script_data(struct script *s, size_t panel, size_t k); /* the block of a series */
void script_data_name(struct script *s, size_t panel, size_t k);

/* Whether the key of the data is drawn in this panel, at the right end of its first line. */
bool script_has_key(const struct panel *p, size_t i);
/* Its name, peaks and the like. */
void script_marks(struct script *s, const struct panel *p, size_t i);

/* A figure in space: all of its panels. */
void script_space(struct script *s, size_t panel);
/* What colours mean. */
void script_palette(struct script *s);

#endif
