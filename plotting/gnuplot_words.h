/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What all parts of a script for gnuplot are written with. */
#ifndef PLOTTING_GNUPLOT_WORDS_H
#define PLOTTING_GNUPLOT_WORDS_H

#include "plotting/figure.h"
#include "plotting/terminal.h"

struct out;

struct script {
	struct out *o;
	const struct figure *f;
	const struct look *look;
	struct sheet canvas;
};

void script_number(struct script *s, double v);
void script_place(struct script *s, double v);	       /* on an axis: six digits are enough */
void script_words(struct script *s, struct str words); /* as a string literal */
/* About how wide they are, in pixels or characters. */
double script_words_width(const struct script *s, struct str words);
/* The same, shortened in the middle to that width, but to no less than a dozen letters. */
void script_words_within(struct script *s, struct str words, double width);
void script_ticks(struct script *s, const char *axis, const struct tick *tick, size_t n);
void script_range(struct script *s, const char *axis, double from, double to);
void script_data(struct script *s, size_t panel, size_t k); /* the block of a series */
void script_data_name(struct script *s, size_t panel, size_t k);

/* A figure in space: all of its panels. */
void script_space(struct script *s, size_t panel);
/* What colours mean. */
void script_palette(struct script *s);

#endif
