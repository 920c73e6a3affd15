/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Colour scales and 3D figures. */

#include "base/out.h"
#include "plotting/gnuplot_words.h"

/* Colours get darker steadily, and differ from the page at both ends: one slow call must be seen.
 * The pale scales have text on them. */
static const char *palette_of(const struct color_scale *c, bool colour)
{
	if (c->diverging && c->pale)
		return colour ? "-4 '#6fa8d4', 0 '#f0f0f0', 4 '#f0a94a'"
			      : "-4 '#ffffff', 0 '#e0e0e0', 4 '#a0a0a0'";
	if (c->diverging)
		return colour ? "-5 '#08306b', -2.5 '#2f79b8', -0.8 '#a9cbe2', 0 '#e4e4e4', "
				"0.8 '#f2c488', 2.5 '#d97706', 5 '#7a2f00'"
			      : "-5 '#d8d8d8', 0 '#9a9a9a', 5 '#000000'";
	if (c->pale)
		return colour ? "0 '#e8f1f8', 1 '#8fbfe0'" : "0 '#f0f0f0', 1 '#b0b0b0'";
	return colour ? "0 '#f2a42c', 1 '#d8524a', 2 '#94276a', 3 '#4a1170', 4 '#0b0724'"
		      : "0 '#b8b8b8', 4 '#000000'";
}

void script_palette(struct script *s, const struct color_scale *c)
{
	out_printf(s->o, "\n# What colours mean.\nset palette defined (%s)\n",
		   palette_of(c, look_palette(s->look) == PALETTE_SAFE));
	script_range(s, "cb", c->from, c->to);
	script_ticks(s, "cb", c->tick, c->n_ticks, NULL);
	if (!s->f->in_space)
		return;
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
	script_ticks(s, name, x->tick, x->n_ticks, NULL);
	out_printf(s->o, "set %slabel ", name);
	script_words(s, x->label);
	out_text(s->o, " offset 0,-0.5\n");
}

void script_space(struct script *s, size_t i)
{
	const struct panel *p = &s->f->panel[i];
	const struct color_scale *c = p->color;
	const struct series *boxes = &p->series[p->n_series - 1];

	place_in_space(s, i);
	if (i == 0)
		script_palette(s, c);
	axis_in_space(s, "x", &p->x);
	axis_in_space(s, "y", &p->y);
	script_range(s, "z", c->from, c->to);
	script_ticks(s, "z", c->tick, c->n_ticks, NULL);
	out_text(s->o, "set zlabel ");
	script_words(s, c->label);
	out_text(s->o, " rotate offset -1,0\nset title ");
	script_words(s, p->name);
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
