/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How series are drawn: the columns of their data, and gnuplot's style for each shape. */
#include "base/out.h"
#include "plotting/gnuplot_words.h"

enum {
	MAX_EDGED = 60, /* with more bars, edges would hide the fill */
	MANY_DOTS = 1000,
};

/* Writes one edge of a bar, at the fraction `part` of its bucket's width. */
static void write_edge(struct script *s, const struct axis *x, int low, int high, double part)
{
	if (part == 0 || part == 1)
		out_printf(s->o, "%d", part == 0 ? low : high);
	else
		out_printf(s->o, "(%s($%d, $%d, %.3f))", x->logarithmic ? "in_log" : "in_line", low,
			   high, part);
}

static void using_bars(struct script *s, const struct panel *p, const struct series *r)
{
	const struct axis *y = r->right ? &p->right : &p->y;
	bool band = r->shape == SHAPE_BAND;

	out_text(s->o, " using 1:3:");
	write_edge(s, &p->x, 1, 2, r->from);
	out_char(s->o, ':');
	write_edge(s, &p->x, 1, 2, r->to);
	out_char(s->o, ':');
	if (band && y->logarithmic) {
		out_text(s->o, "($3 > ");
		script_number(s, y->baseline);
		out_text(s->o, " ? $3 : ");
		script_number(s, y->baseline);
		out_text(s->o, "):4");
	} else if (band) {
		out_text(s->o, "3:4");
	} else {
		out_char(s->o, '(');
		script_number(s, y->baseline);
		out_text(s->o, "):3");
	}
	out_printf(s->o, " with boxxyerror fc rgb %s%s fs solid ", colour_name(r->colour),
		   band ? "_edge" : "");
	if (r->n_rows > MAX_EDGED)
		out_text(s->o, "noborder");
	else
		out_printf(s->o, "border lc rgb %s_edge", colour_name(r->colour));
}

static void using_levels(struct script *s, const struct panel *p, const struct series *r)
{
	out_text(s->o, " using 1:2:(");
	script_number(s, r->right ? p->above.baseline : p->x.baseline);
	out_text(s->o, "):1:");
	write_edge(s, &p->y, 2, 3, r->from);
	out_char(s->o, ':');
	write_edge(s, &p->y, 2, 3, r->to);
	out_printf(s->o, " with boxxyerror fc rgb %s fs solid border lc rgb %s_edge",
		   colour_name(r->colour), colour_name(r->colour));
}

static void using_points(struct script *s, const struct series *r)
{
	static const char *const drawn[] = { [POINT_DOT] = "pt 7",
					     [POINT_CROSS] = "pt 2 ps 0.9 lw 1.5",
					     [POINT_RING] = "pt 6 ps 0.9 lw 1.5" };

	out_printf(s->o, " using 1:2 with points %s lc rgb %s_edge", drawn[r->point],
		   colour_name(r->colour));
	if (r->point == POINT_DOT)
		out_text(s->o, r->n_rows > MANY_DOTS ? " ps 0.3" : " ps 0.6");
}

void script_series(struct script *s, const struct panel *p, const struct series *r)
{
	const char *colour = colour_name(r->colour);

	switch (r->shape) {
	case SHAPE_BARS:
	case SHAPE_BAND:
		using_bars(s, p, r);
		break;
	case SHAPE_LEVELS:
		using_levels(s, p, r);
		break;
	case SHAPE_LINE:
		out_printf(s->o, " using 1:2 with lines lw %g dt %d lc rgb %s_edge",
			   look_line_width(s->look), look_dash(s->look, r->colour), colour);
		break;
	case SHAPE_POINTS:
		using_points(s, r);
		break;
	case SHAPE_INTERVALS:
		out_printf(s->o, " using 1:4:2:3 with xerrorbars pt 7 ps 1 lw 2 lc rgb %s", colour);
		break;
	case SHAPE_AREA:
		out_printf(s->o, " using 1:2:3 with filledcurves fc rgb %s fs solid noborder",
			   colour);
		break;
	case SHAPE_CELLS:
		if (r->apart) {
			out_text(s->o, " using 1:3:1:2:3:4:5 with boxxyerror fs solid border rgb "
				       "'white' fc palette");
			break;
		}
		/* Cells overlap the next one slightly, so that no seam is visible. */
		out_printf(s->o,
			   " using 1:3:1:(%s($1, $2, 1.06)):3:(%s($3, $4, 1.04)):5 "
			   "with boxxyerror fs solid noborder fc palette",
			   p->x.logarithmic ? "in_log" : "in_line",
			   p->y.logarithmic ? "in_log" : "in_line");
		break;
	case SHAPE_COLUMNS:
		break;
	}
	if (r->right)
		out_text(s->o, r->shape == SHAPE_LEVELS ? " axes x2y1" : " axes x1y2");
}
