/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A figure in characters, for terminals and for text files; it needs no gnuplot. */
#ifndef PLOTTING_TEXT_H
#define PLOTTING_TEXT_H

#include "plotting/figure.h"
#include "plotting/terminal.h"

struct out;

/* Writes the figure: panels, axes, keys, scales of colours, and the note. */
void figure_text(struct out *o, const struct figure *f, const struct look *look);

#endif
