/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a panel shows besides its data: its name, peaks, breaks, text. */
#include <math.h>

#include "base/out.h"
#include "plotting/gnuplot_words.h"

static const double below_triangle = 0.02; /* from the triangle of a peak down to its line */
static const double between_peaks = 0.004; /* gap between two lines, as a fraction of the axis */
static const double lines_for_peaks = 6;   /* minimum height for marks of peaks above the bars */

/* Text near the right end of the axis is written to the left of its position. */
static bool is_at_end(const struct panel *p, const struct mark *m)
{
	return axis_across(&p->x, m->at) > 0.9;
}

/* Whether the text does not overlap the next peak of the same run. */
static bool has_room(const struct script *s, const struct panel *p, const struct mark *m)
{
	double words = ((double)m->words.n + 3) * s->canvas.letter, room = 1;

	for (size_t i = 0; i < p->n_marks; i++) {
		const struct mark *other = &p->mark[i];
		double apart = axis_across(&p->x, other->at) - axis_across(&p->x, m->at);

		if (other->shape == MARK_PEAK && other->height == m->height && other != m &&
		    (apart < 0) == is_at_end(p, m))
			room = fmin(room, fabs(apart));
	}
	return m->words.n > 0 && room * s->panel_width > words;
}

/* Returns the height of a row of peaks, as a fraction of the panel. */
static double row_height(const struct script *s, const struct mark *m)
{
	return 1 - (0.65 + 1.1 * m->height) * s->canvas.line / s->panel_height;
}

static void mark_extent(struct script *s, const struct panel *p, const struct mark *m)
{
	double gap = p->x.logarithmic ? pow(p->x.to / p->x.from, between_peaks) : 1;

	out_text(s->o, "set arrow from ");
	script_position(s, m->low * gap);
	out_printf(s->o, ", graph %.3f to ", row_height(s, m) - below_triangle);
	script_position(s, m->high / gap);
	out_printf(s->o, ", graph %.3f nohead lw 1.5 lc rgb %s_edge\n",
		   row_height(s, m) - below_triangle, colour_name(m->colour));
}

static void mark_peak(struct script *s, const struct panel *p, const struct mark *m)
{
	const char *colour = colour_name(m->colour);

	mark_extent(s, p, m);
	out_text(s->o, "set label ");
	script_words(s, has_room(s, p, m) ? m->words : STR(""));
	out_text(s->o, " at ");
	script_position(s, m->at);
	out_printf(s->o, ", graph %.3f %s point pt 11 ps 1 lc rgb %s_edge\n", row_height(s, m),
		   is_at_end(p, m) ? "right offset -0.8,0" : "offset 0.8,0", colour);
}

static bool has_cells(const struct panel *p)
{
	return p->n_series > 0 && p->series[0].shape == SHAPE_CELLS;
}

static void mark_break(struct script *s, const struct panel *p, const struct mark *m)
{
	out_text(s->o, "set arrow from ");
	script_position(s, m->at);
	out_text(s->o, ", graph 0 to ");
	script_position(s, m->at);
	out_printf(s->o, ", graph 1 nohead lw 1.5 dt 2 lc rgb %s_edge%s\n", colour_name(m->colour),
		   has_cells(p) ? " front" : "");
	if (m->words.n == 0)
		return;
	out_text(s->o, "set label ");
	script_words(s, m->words);
	out_text(s->o, " at ");
	script_position(s, m->at);
	out_text(s->o, ", graph 0.92 offset 0.5,0\n");
}

static void mark_words(struct script *s, const struct panel *p, const struct mark *m)
{
	out_text(s->o, "set label ");
	script_words(s, m->words);
	out_text(s->o, " at ");
	script_position(s, m->at);
	out_text(s->o, ", ");
	script_position(s, m->height);
	out_text(s->o, has_cells(p) ? " offset 0.5,0 front\n" : " offset 0.5,0\n");
}

void script_marks(struct script *s, const struct panel *p, size_t i)
{
	out_text(s->o, "unset label; unset arrow\n");
	script_name(s, i);
	for (size_t k = 0; k < p->n_marks; k++) {
		switch (p->mark[k].shape) {
		case MARK_PEAK:
			if (s->panel_height >= lines_for_peaks * s->canvas.line)
				mark_peak(s, p, &p->mark[k]);
			break;
		case MARK_BREAK:
			mark_break(s, p, &p->mark[k]);
			break;
		case MARK_WORDS:
			mark_words(s, p, &p->mark[k]);
			break;
		}
	}
	if (p->empty.n > 0) {
		out_text(s->o, "set label ");
		script_words(s, p->empty);
		out_text(s->o, " at graph 0.5, graph 0.5 center\n");
	}
}
