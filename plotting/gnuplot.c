/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plotting/gnuplot.h"

#include <math.h>

#include "base/escape.h"
#include "base/out.h"
#include "plotting/gnuplot_words.h"

enum {
	PIXELS_AN_INCH = 96,
	MAX_EDGED = 60, /* with more bars, edges would hide the fill */
	MANY_DOTS = 1000,
};

/* --- the head ------------------------------------------------------------------------------ */

static void size_of(struct script *s)
{
	const struct terminal *t = s->look->terminal;
	double unit = t->units == UNITS_INCHES ? PIXELS_AN_INCH : 1;
	const char *suffix = t->units == UNITS_INCHES ? "in" : "";

	out_text(s->o, " size ");
	script_number(s, s->canvas.width / unit);
	out_printf(s->o, "%s,", suffix);
	script_number(s, s->canvas.height / unit);
	out_text(s->o, suffix);
}

static void set_terminal(struct script *s)
{
	const struct terminal *t = s->look->terminal;

	out_printf(s->o, "set terminal %s", t->gnuplot);
	size_of(s);
	if (t->units != UNITS_CHARACTERS && !t->latex) {
		struct out *font = out_to_memory();

		out_printf(font, "%s,", s->look->font != NULL ? s->look->font : "sans");
		out_digits(font, s->look->font_size > 0 ? s->look->font_size : 11, 6);
		out_text(s->o, " noenhanced font ");
		escape_gnuplot(s->o, out_memory(font));
		out_free(font);
	}
	if (t->units == UNITS_CHARACTERS)
		out_text(s->o, " noenhanced");
	out_text(s->o, t->background ? " background '#ffffff'\n" : "\n");
}

static void colours(struct script *s)
{
	bool used[N_COLOURS] = { false };

	for (size_t i = 0; i < s->f->n_panels; i++) {
		const struct panel *p = &s->f->panel[i];

		for (size_t k = 0; k < p->n_series; k++)
			used[p->series[k].colour] = true;
		for (size_t k = 0; k < p->n_marks; k++)
			used[p->mark[k].colour] = true;
	}
	out_text(s->o, "\n# Colours: what is filled, and its edge.\n");
	for (int i = 0; i < N_COLOURS; i++) {
		struct colour_look look = colour_look(s->look->palette, (enum colour)i);

		if (used[i])
			out_printf(s->o, "%s = 0x%06x; %s_edge = 0x%06x\n",
				   colour_name((enum colour)i), look.fill,
				   colour_name((enum colour)i), look.border);
	}
}

static void comment(struct script *s, struct str words)
{
	out_text(s->o, "# ");
	escape_terminal(s->o, words);
	out_char(s->o, '\n');
}

static void head(struct script *s, struct str output)
{
	out_text(s->o, "# Drawn by osprof. Edit it, and run gnuplot on it again.\n");
	if (s->f->caption.n > 0)
		comment(s, s->f->caption);
	set_terminal(s);
	out_text(s->o, output.n > 0 ? "set output " : "# to standard output");
	if (output.n > 0)
		escape_gnuplot(s->o, output);
	out_text(s->o,
		 "\nset encoding utf8\n"
		 "set style fill solid\n"
		 "set border lc rgb 0x505050\n"
		 "set tics scale 0.5 nomirror\n"
		 "set bars 0\n"
		 "\n# The place at part t of the way from low to high, on either kind of axis.\n"
		 "in_log(low, high, t) = low * (high / low) ** t\n"
		 "in_line(low, high, t) = low + (high - low) * t\n");
	colours(s);
}

/* --- layout of panels -------------------------------------------------------------------- */

static size_t panels_down(const struct figure *f)
{
	return (f->n_panels + f->n_across - 1) / f->n_across;
}

/* Margins around all panels, in pixels or characters. */
struct room {
	double left, right, above, below;
	double across, down; /* between panels */
};

static double widest(const struct axis *y)
{
	size_t most = 0;

	for (size_t i = 0; i < y->n_ticks; i++) {
		size_t width = escape_terminal_width(y->tick[i].label);

		most = width > most ? width : most;
	}
	return (double)most;
}

static double room_beside(const struct script *s, const struct axis *y)
{
	return (widest(y) + (y->label.n > 0 ? 4.2 : 1.2)) * s->canvas.letter;
}

static double lines_of(const struct axis *x)
{
	return x->n_ticks == 0 ? 0 : x->label.n > 0 ? 2.6 : 1.4;
}

static struct room room_for(const struct script *s)
{
	const struct figure *f = s->f;
	double line = s->canvas.line, letter = s->canvas.letter;
	struct room r = { 4 * letter, 4 * letter, 0.8 * line, 0.8 * line, 0, 0 };
	double above = 0, below = 0, left = r.left, right = r.right;
	bool colors = false;

	for (size_t i = 0; i < f->n_panels; i++) {
		left = fmax(left, room_beside(s, &f->panel[i].y));
		if (f->panel[i].right.n_ticks > 0)
			right = fmax(right, room_beside(s, &f->panel[i].right));
		above = fmax(above, (lines_of(&f->panel[i].above) +
				     (f->panel[i].title_above.n > 0 ? 1.4 : 0)) *
					    line);
		below = fmax(below, lines_of(&f->panel[i].x) * line);
		colors |= f->panel[i].has_colors;
	}
	r.left = left;
	r.right = right;
	if (colors)
		r.right += 12 * letter;
	r.above += above + (f->title.n > 0 ? 1.5 * line : 0);
	r.below += below;
	r.down = f->shared_x ? 0.7 * line : above + below + 0.7 * line;
	r.across = left * 0.9;
	return r;
}

/* Sets the size of each panel, in pixels or characters.  On a page that is too small for its
 * labels, the panels keep a third of it. */
static void size_panels(struct script *s, const struct room *r)
{
	double across = (double)s->f->n_across, down = (double)panels_down(s->f);

	s->panel_width = (s->canvas.width - r->left - r->right - r->across * (across - 1)) / across;
	s->panel_height = (s->canvas.height - r->above - r->below - r->down * (down - 1)) / down;
	s->panel_width = fmax(s->panel_width, s->canvas.width / 3 / across);
	s->panel_height = fmax(s->panel_height, s->canvas.height / 3 / down);
}

/* Writes the position of panel i as fractions of the page, from its left and bottom edges. */
static void position(struct script *s, const struct room *r, size_t i)
{
	const struct figure *f = s->f;
	double row = (double)(i / f->n_across), column = (double)(i % f->n_across);
	double left = r->left + column * (s->panel_width + r->across);
	double top = s->canvas.height - r->above - row * (s->panel_height + r->down);

	out_printf(s->o,
		   "set lmargin at screen %.4f; set rmargin at screen %.4f\n"
		   "set tmargin at screen %.4f; set bmargin at screen %.4f\n",
		   fmin(left / s->canvas.width, 0.98),
		   fmin((left + s->panel_width) / s->canvas.width, 0.99),
		   fmax(top / s->canvas.height, 0.02),
		   fmax((top - s->panel_height) / s->canvas.height, 0.01));
}

static bool is_at_top(const struct figure *f, size_t i)
{
	return !f->shared_x || i < f->n_across;
}

static bool is_at_baseline(const struct figure *f, size_t i)
{
	return !f->shared_x || i + f->n_across >= f->n_panels;
}

/* --- axes --------------------------------------------------------------------------------------
 */

static void label_of(struct script *s, const char *axis, const struct axis *x, bool shown)
{
	if (x->label.n == 0 || !shown) {
		out_printf(s->o, "unset %slabel\n", axis);
		return;
	}
	out_printf(s->o, "set %slabel ", axis);
	script_words(s, x->label);
	out_char(s->o, '\n');
}

/* Whether labels do not overlap when one in `every` is shown. */
static bool have_room(const struct script *s, const struct axis *x, bool horizontal, size_t every)
{
	double length = horizontal ? s->panel_width : s->panel_height;

	for (size_t i = every; i < x->n_ticks; i += every) {
		const struct tick *a = &x->tick[i - every], *b = &x->tick[i];
		double apart = fabs(script_across(x, b->at) - script_across(x, a->at)) * length;
		double words = script_words_width(s, a->label) + script_words_width(s, b->label);

		if (apart < (horizontal ? words / 2 + s->canvas.letter / 2 : 0.8 * s->canvas.line))
			return false;
	}
	return true;
}

static size_t labels_every(const struct script *s, const struct axis *x, bool horizontal)
{
	size_t every = 1;

	while (!x->named && every < x->n_ticks && !have_room(s, x, horizontal, every))
		every++;
	return every;
}

/* Writes an axis; ticks have no labels if another panel shows them. */
static void axis(struct script *s, const char *name, const struct axis *x, bool labels)
{
	bool horizontal = name[0] == 'x';

	if (x->n_ticks == 0 && x->from == x->to) {
		out_printf(s->o, "unset %slabel; unset %stics\n", name, name);
		return;
	}
	out_printf(s->o, x->logarithmic ? "set logscale %s\n" : "unset logscale %s\n", name);
	script_range(s, name, x->from, x->to);
	if (labels || x->n_ticks > 0)
		script_ticks(s, name, x->tick, x->n_ticks,
			     labels ? labels_every(s, x, horizontal) : 0);
	label_of(s, name, x, labels);
}

static void axes(struct script *s, const struct panel *p, size_t i)
{
	axis(s, "x", &p->x, is_at_baseline(s->f, i));
	axis(s, "x2", &p->above, is_at_top(s->f, i));
	axis(s, "y", &p->y, true);
	axis(s, "y2", &p->right, true);
	if (s->look->terminal->units != UNITS_CHARACTERS)
		out_text(s->o, p->has_grid ? "set grid noxtics ytics lt 1 lw 0.5 lc rgb 0xd8dce0\n"
					   : "unset grid\n");
}

/* --- series ------------------------------------------------------------------------------ */

/* Writes one edge of a bar, at the fraction `part` of its bucket's width. */
static void edge(struct script *s, const struct axis *x, int low, int high, double part)
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
	edge(s, &p->x, 1, 2, r->from);
	out_char(s->o, ':');
	edge(s, &p->x, 1, 2, r->to);
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
	out_printf(s->o,
		   "(in_line($2, $3, %.3f)):(in_line($2, $3, %.3f)) with boxxyerror fc rgb %s fs "
		   "solid border lc rgb %s_edge",
		   r->from, r->to, colour_name(r->colour), colour_name(r->colour));
}

static void using_points(struct script *s, const struct series *r)
{
	static const char *const drawn[] = { [POINT_DOT] = "pt 7",
					     [POINT_CROSS] = "pt 2 ps 0.9 lw 1.5",
					     [POINT_RING] = "pt 6 ps 0.9 lw 1.5" };
	static const char *const typed[] = {
		[POINT_DOT] = "pt '.'", [POINT_CROSS] = "pt 'x'", [POINT_RING] = "pt 'o'"
	};
	bool characters = s->look->terminal->units == UNITS_CHARACTERS;

	out_printf(s->o, " using 1:2 with points %s lc rgb %s_edge",
		   (characters ? typed : drawn)[r->point], colour_name(r->colour));
	if (r->point == POINT_DOT && !characters)
		out_text(s->o, r->n_rows > MANY_DOTS ? " ps 0.3" : " ps 0.6");
}

static void using_columns(struct script *s, const struct panel *p, const struct series *r)
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
		out_printf(s->o, " using 1:2 with lines lw 2 lc rgb %s_edge", colour);
		break;
	case SHAPE_POINTS:
		using_points(s, r);
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
			   " using 1:3:1:(%s($1, $2, 1.04)):3:(in_line($3, $4, 1.1)):5 "
			   "with boxxyerror fs solid noborder fc palette",
			   p->x.logarithmic ? "in_log" : "in_line");
		break;
	case SHAPE_COLUMNS:
		break;
	}
	if (r->right)
		out_text(s->o, r->shape == SHAPE_LEVELS ? " axes x2y1" : " axes x1y2");
}

static void plot(struct script *s, const struct panel *p, size_t i)
{
	size_t n = 0;

	out_text(s->o, script_has_key(p, i) ? "set key top right horizontal samplen 1.5\n"
					    : "unset key\n");
	out_text(s->o, "plot ");
	for (size_t k = 0; k < p->n_series; k++) {
		if (p->series[k].n_rows == 0)
			continue;
		out_text(s->o, n++ > 0 ? ", \\\n\t" : "");
		script_data_name(s, i, k);
		using_columns(s, p, &p->series[k]);
		if (p->series[k].title.n > 0) {
			out_text(s->o, " title ");
			script_words(s, p->series[k].title);
		} else {
			out_text(s->o, " notitle");
		}
	}
	/* gnuplot draws axes only if there is a plot. */
	out_text(s->o, n == 0 ? "NaN notitle\n" : "\n");
}

static void title_and_colors(struct script *s, const struct panel *p)
{
	if (s->f->color.n_ticks > 0)
		out_text(s->o, p->has_colors ? "set colorbox\n" : "unset colorbox\n");
	if (p->title_above.n == 0) {
		out_text(s->o, s->f->color.n_ticks > 0 ? "unset title\n" : "");
		return;
	}
	out_text(s->o, "set title ");
	script_words(s, p->title_above);
	out_char(s->o, '\n');
}

static void panel(struct script *s, const struct room *r, size_t i)
{
	const struct panel *p = &s->f->panel[i];

	out_char(s->o, '\n');
	if (p->name.n > 0 || p->title_above.n > 0)
		comment(s, p->name.n > 0 ? p->name : p->title_above);
	if (s->f->in_space) {
		script_space(s, i);
		return;
	}
	position(s, r, i);
	title_and_colors(s, p);
	axes(s, p, i);
	script_marks(s, p, i);
	plot(s, p, i);
}

void gnuplot_script(struct out *o, const struct figure *f, const struct look *look,
		    struct str output)
{
	struct script s = { .o = o, .f = f, .look = look, .canvas = look_canvas(look, f) };
	struct room r = room_for(&s);

	size_panels(&s, &r);
	head(&s, output);
	if (f->color.n_ticks > 0)
		script_palette(&s);
	out_char(o, '\n');
	for (size_t i = 0; i < f->n_panels; i++) {
		for (size_t k = 0; k < f->panel[i].n_series; k++)
			script_data(&s, i, k);
	}
	out_text(o, f->n_panels > 1 ? "\nset multiplot" : "");
	if (f->title.n > 0) {
		out_text(o, f->n_panels > 1 ? " title " : "\nset title ");
		script_words(&s, f->title);
	}
	out_char(o, '\n');
	for (size_t i = 0; i < f->n_panels; i++)
		panel(&s, &r, i);
	out_text(o, f->n_panels > 1 ? "unset multiplot\n" : "");
}
