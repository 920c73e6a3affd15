/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Colour scales, and figures in space. */
#include <math.h>

#include "base/out.h"
#include "plotting/gnuplot_words.h"

void script_palette(struct script *s)
{
	const struct color_scale *c = &s->f->color;
	bool colour = s->look->palette == PALETTE_SAFE;

	out_text(s->o, "\n# What colours mean.\nset palette defined (");
	if (c->diverging)
		out_text(s->o,
			 colour ? "-4 '#08306b', -2.2 '#2f79b8', -0.7 '#b9d7ea', 0 '#f7f7f7', "
				  "0.7 '#f5cf9b', 2.2 '#d97706', 4 '#7a2f00'"
				: "-4 '#ffffff', 0 '#a0a0a0', 4 '#000000'");
	else
		out_text(s->o, colour ? "0 '#e8f1f8', 1 '#a6cbe3', 2 '#4a98c9', 3 '#17609f', "
					"4 '#08264f'"
				      : "0 '#e8e8e8', 4 '#000000'");
	out_text(s->o, ")\n");
	script_range(s, "cb", c->from, c->to);
	script_ticks(s, "cb", c->tick, c->n_ticks);
	out_text(s->o, "set cblabel ");
	script_words(s, c->label);
	out_text(s->o, "\n");
}

void script_space(struct script *s, size_t i)
{
	(void)i;
	(void)s;
}
