/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Colour scales and 3D figures. */

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
	script_ticks(s, "cb", c->tick, c->n_ticks, 1);
	out_text(s->o, "set cblabel ");
	script_words(s, c->label);
	out_text(s->o, "\n");
}

/* Writes the position of panel i and its margins. */
static void place_in_space(struct script *s, size_t i)
{
	const struct figure *f = s->f;
	size_t down = (f->n_panels + f->n_across - 1) / f->n_across;
	double width = 1.0 / (double)f->n_across, height = 1.0 / (double)down;
	double head = f->title.n > 0 ? 1.5 * s->canvas.line / s->canvas.height : 0;

	out_printf(s->o, "set origin %.4f, %.4f\nset size %.4f, %.4f\n",
		   width * (double)(i % f->n_across),
		   (1 - head) * (1 - height * (double)(i / f->n_across + 1)), width,
		   height * (1 - head));
}

static void axis_in_space(struct script *s, const char *name, const struct axis *x)
{
	script_range(s, name, x->from, x->to);
	script_ticks(s, name, x->tick, x->n_ticks, 1);
	out_printf(s->o, "set %slabel ", name);
	script_words(s, x->label);
	out_text(s->o, " offset 0,-0.5\n");
}

void script_space(struct script *s, size_t i)
{
	const struct panel *p = &s->f->panel[i];
	const struct color_scale *c = &s->f->color;
	const struct series *boxes = &p->series[p->n_series - 1];

	place_in_space(s, i);
	axis_in_space(s, "x", &p->x);
	axis_in_space(s, "y", &p->y);
	script_range(s, "z", c->from, c->to);
	script_ticks(s, "z", c->tick, c->n_ticks, 1);
	out_text(s->o, "set zlabel ");
	script_words(s, c->label);
	out_text(s->o, " rotate offset -1,0\nset title ");
	script_words(s, p->title_above);
	out_text(s->o, "\nset view 50, 35\nset xyplane at 0\nset grid z vertical\n"
		       "set pm3d depthorder base lighting\nunset colorbox\nunset key\n"
		       "set style fill solid border lc rgb 0x404040\nset boxwidth ");
	script_number(s, boxes->from);
	out_text(s->o, " absolute\nset boxdepth ");
	script_number(s, boxes->to);
	out_text(s->o, "\nsplot ");
	if (boxes->n_rows == 0) {
		out_text(s->o, "NaN notitle\n");
		return;
	}
	script_data_name(s, i, p->n_series - 1);
	out_text(s->o, " using 1:2:3 with boxes fc palette notitle\n");
}
