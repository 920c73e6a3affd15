/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plotting/gnuplot.h"

#include <math.h>
#include <stdlib.h>

#include "base/escape.h"
#include "base/out.h"
#include "base/xalloc.h"
#include "plotting/gnuplot_words.h"

enum {
	PIXELS_AN_INCH = 96,
	LETTERS_OF_SCALE = 13, /* width of a colour scale with its labels */
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

/* Names are those of CSS, for SVG; LaTeX keeps the font of the document. */
static void set_font(struct script *s)
{
	const struct terminal *t = s->look->terminal;
	double points = look_font_size(s->look);
	struct out *font = out_to_memory();

	if (t->latex) {
		out_printf(font, "\\fontsize{%.4g}{%.4g}\\selectfont", points, 1.2 * points);
	} else {
		out_printf(font, "%s,", s->look->font != NULL ? s->look->font : "sans-serif");
		out_digits(font, points * (t->font_factor > 0 ? t->font_factor : 1), 4);
	}
	escape_gnuplot(s->o, out_memory(font));
	out_free(font);
}

static void set_terminal(struct script *s)
{
	const struct terminal *t = s->look->terminal;

	out_printf(s->o, "set terminal %s", t->gnuplot);
	size_of(s);
	out_text(s->o, t->latex ? " font " : " noenhanced font ");
	set_font(s);
	out_text(s->o, t->background ? " background '#ffffff'\n" : "\n");
}

static void write_colours(struct script *s)
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
		struct colour_look look = colour_look(look_palette(s->look), (enum colour)i);

		if (used[i])
			out_printf(s->o, "%s = 0x%06x; %s_edge = 0x%06x\n",
				   colour_name((enum colour)i), look.fill,
				   colour_name((enum colour)i), look.border);
	}
}

static void write_comment(struct script *s, struct str words)
{
	out_text(s->o, "# ");
	escape_terminal(s->o, words);
	out_char(s->o, '\n');
}

static void write_head(struct script *s, struct str output)
{
	out_text(s->o, "# Drawn by osprof. Edit it, and run gnuplot on it again.\n");
	if (s->f->caption.n > 0)
		write_comment(s, s->f->caption);
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
	write_colours(s);
}

/* --- layout of panels -------------------------------------------------------------------- */

static size_t panels_down(const struct figure *f)
{
	return (f->n_panels + f->n_across - 1) / f->n_across;
}

/* Margins around all panels, in pixels. */
struct room {
	double left, right, above, below;
	double across, down; /* between panels */
};

/* Returns the width of the widest label of an axis. */
static double widest_label(const struct script *s, const struct axis *y)
{
	double max = 0;

	for (size_t i = 0; i < y->n_ticks && !y->unlabelled; i++)
		max = fmax(max, script_words_width(s, y->tick[i].label));
	return max;
}

static double room_beside(const struct script *s, const struct axis *y)
{
	double label = y->label.n > 0 && !y->unlabelled ? 3 : 0;

	return widest_label(s, y) + (1.5 + label) * s->canvas.letter;
}

/* Returns how far the label of the last tick reaches beyond the right end of its panel; ticks
 * outside are not drawn. */
static double label_overhang(const struct script *s, const struct axis *x)
{
	const struct tick *last;
	size_t n = x->n_ticks;

	while (n > 0 && axis_across(x, x->tick[n - 1].at) > 1)
		n--;
	if (n == 0 || x->unlabelled)
		return 0;
	last = &x->tick[n - 1];
	return script_words_width(s, last->label) / 2 -
	       (1 - axis_across(x, last->at)) * s->panel_width;
}

/* The same of the first tick, at the left end. */
static double overhang_left(const struct script *s, const struct axis *x)
{
	if (x->n_ticks == 0 || x->unlabelled)
		return 0;
	return script_words_width(s, x->tick[0].label) / 2 -
	       axis_across(x, x->tick[0].at) * s->panel_width;
}

/* Returns the room above panels that are not in the first row. */
static double strip_between(const struct script *s)
{
	double strip = 0;

	for (size_t i = s->f->n_across; i < s->f->n_panels; i++)
		strip = fmax(strip, script_strip_lines(s, i) * s->canvas.line);
	return strip;
}

static struct room room_for(const struct script *s)
{
	const struct figure *f = s->f;
	double line = s->canvas.line, letter = s->canvas.letter;
	struct room r = { 4 * letter, 4 * letter, 0.8 * line, 0.8 * line, 0, 0 };
	double above = 0, below = 0, strip = 0, across = letter, left = r.left, right = r.right;
	bool colors = false;

	for (size_t i = 0; i < f->n_panels; i++) {
		if (i % f->n_across == 0)
			left = fmax(left, room_beside(s, &f->panel[i].y));
		else
			across = fmax(across,
				      fmax(room_beside(s, &f->panel[i].y),
					   label_overhang(s, &f->panel[i - 1].x) +
						   overhang_left(s, &f->panel[i].x) + letter));
		if (f->panel[i].right.n_ticks > 0)
			right = fmax(right, room_beside(s, &f->panel[i].right));
		if (i % f->n_across + 1 == f->n_across)
			right = fmax(right, fmax(label_overhang(s, &f->panel[i].x),
						 label_overhang(s, &f->panel[i].above)) +
						    letter);
		above = fmax(above, script_above_lines(&f->panel[i].above) * line);
		below = fmax(below, script_axis_lines(&f->panel[i].x) * line);
		strip = fmax(strip, script_strip_lines(s, i) * line);
		colors |= f->panel[i].has_colors;
	}
	r.left = left;
	r.right = right;
	if (colors)
		r.right += LETTERS_OF_SCALE * letter;
	r.above += above + strip + (f->title.n > 0 ? 1.5 * line : 0);
	r.below += below + script_note_lines(s) * line;
	r.down = (f->shared_x ? 0 : above + below) + strip_between(s) + 0.7 * line;
	r.across = across;
	return r;
}

/* A panel's edges, as fractions of the page from its left and bottom edges. */
struct rectangle {
	double left, right, top, bottom;
};

/* Returns the part of a length that belongs to entries [0, i) of n. */
static double part_before(const double *weight, size_t n, size_t i)
{
	double all = 0, before = 0;

	for (size_t k = 0; k < n; k++) {
		double w = weight != NULL ? weight[k] : 1;

		all += w;
		before += k < i ? w : 0;
	}
	return before / all;
}

/* Returns the place of panel i. */
static struct rectangle place_of(const struct script *s, const struct room *r, size_t i)
{
	const struct figure *f = s->f;
	size_t across = f->n_across, down = panels_down(f), row = i / across, column = i % across;
	double left = r->left + part_before(f->widths, across, column) * s->width +
		      r->across * (double)column;
	double right = r->left + part_before(f->widths, across, column + 1) * s->width +
		       r->across * (double)column;
	double top =
		r->above + part_before(f->heights, down, row) * s->height + r->down * (double)row;
	double bottom = r->above + part_before(f->heights, down, row + 1) * s->height +
			r->down * (double)row;

	return (struct rectangle){ .left = fmin(left / s->canvas.width, 0.98),
				   .right = fmin(right / s->canvas.width, 0.99),
				   .top = fmax(1 - top / s->canvas.height, 0.02),
				   .bottom = fmax(1 - bottom / s->canvas.height, 0.01) };
}

/* Sets the size that all panels share, in pixels.  On a page that is too small for
 * its labels, the panels keep a third of it. */
static void size_panels(struct script *s, const struct room *r)
{
	double across = (double)s->f->n_across, down = (double)panels_down(s->f);

	s->width = s->canvas.width - r->left - r->right - r->across * (across - 1);
	s->height = s->canvas.height - r->above - r->below - r->down * (down - 1);
	s->width = fmax(s->width, s->canvas.width / 3);
	if (s->look->height > 0)
		s->height = fmax(s->height, s->canvas.height / 3);
	s->panel_width = s->width / across;
	s->panel_height = s->height / down;
}

/* Returns the height of a page with panels of the usual height. */
static double height_for(const struct script *s, const struct room *r)
{
	double down = (double)panels_down(s->f);

	return ceil(r->above + r->below + r->down * (down - 1) + s->canvas.panel * down);
}

/* Writes the position of panel i. */
static void write_position(struct script *s, const struct room *r, size_t i)
{
	struct rectangle at = place_of(s, r, i);

	s->panel_width = (at.right - at.left) * s->canvas.width;
	s->panel_height = (at.top - at.bottom) * s->canvas.height;
	out_printf(s->o,
		   "set lmargin at screen %.4f; set rmargin at screen %.4f\n"
		   "set tmargin at screen %.4f; set bmargin at screen %.4f\n",
		   at.left, at.right, at.top, at.bottom);
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
	if (x->label.n == 0 || !shown || axis[0] == 'y') {
		out_printf(s->o, "unset %slabel\n", axis);
		return;
	}
	out_printf(s->o, "set %slabel ", axis);
	script_words_within(s, x->label, s->panel_width);
	out_char(s->o, '\n');
}

/* Whether the labels of ticks i and k do not touch. */
static bool have_room(const struct script *s, const struct axis *x, bool horizontal, size_t i,
		      size_t k)
{
	double length = horizontal ? s->panel_width : s->panel_height;
	const struct tick *a = &x->tick[i], *b = &x->tick[k];
	double apart = fabs(axis_across(x, b->at) - axis_across(x, a->at)) * length;
	double words = script_words_width(s, a->label) + script_words_width(s, b->label);

	return apart >= (horizontal ? words / 2 + s->canvas.letter : 0.8 * s->canvas.line);
}

/* Whether ticks are equally far apart, so that every second or third can be labelled. */
static bool is_even(const struct axis *x)
{
	for (size_t i = 2; i < x->n_ticks; i++) {
		double apart = axis_across(x, x->tick[i].at) - axis_across(x, x->tick[i - 1].at);
		double first = axis_across(x, x->tick[1].at) - axis_across(x, x->tick[0].at);

		if (fabs(apart - first) > 1e-3)
			return false;
	}
	return true;
}

static bool fit_every(const struct script *s, const struct axis *x, bool horizontal, size_t every)
{
	for (size_t i = every; i < x->n_ticks; i += every) {
		if (!have_room(s, x, horizontal, i - every, i))
			return false;
	}
	return true;
}

/* Chooses the ticks with a label: all names; as many as fit otherwise. */
static void choose_labels(const struct script *s, const struct axis *x, bool horizontal,
			  bool *shown)
{
	size_t every = 1, last = 0;

	while (!x->named && is_even(x) && every < x->n_ticks && !fit_every(s, x, horizontal, every))
		every++;
	for (size_t i = 0; i < x->n_ticks; i++) {
		shown[i] = i % every == 0 &&
			   (x->named || i == 0 || have_room(s, x, horizontal, last, i));
		last = shown[i] ? i : last;
	}
}

/* Writes an axis; ticks have no labels if another panel shows them. */
static void write_axis(struct script *s, const char *name, const struct axis *x, bool labels)
{
	bool horizontal = name[0] == 'x', *shown;

	if (x->n_ticks == 0 && x->from == x->to) {
		out_printf(s->o, "unset %slabel; unset %stics\n", name, name);
		return;
	}
	out_printf(s->o, x->logarithmic ? "set logscale %s\n" : "unset logscale %s\n", name);
	script_range(s, name, x->from, x->to);
	shown = xcalloc(x->n_ticks + 1, sizeof(*shown));
	if (labels)
		choose_labels(s, x, horizontal, shown);
	script_ticks(s, name, x->tick, x->n_ticks, shown);
	free(shown);
	label_of(s, name, x, labels);
}

/* Writes the name of a vertical axis at a distance that we know: gnuplot would put it by its own
 * estimate of the width of labels, which may be beyond the page. */
static void vertical_name(struct script *s, const struct axis *y, double edge, int side)
{
	double away = (room_beside(s, y) - 0.9 * s->canvas.line) / s->canvas.width;

	if (y->label.n == 0 || y->unlabelled)
		return;
	out_text(s->o, "set label ");
	script_words_within(s, y->label, s->panel_height);
	out_text(s->o, " at screen ");
	script_position(s, edge + side * away);
	out_text(s->o, ", graph 0.5 center rotate by 90\n");
}

static void vertical_names(struct script *s, const struct room *r, size_t i)
{
	struct rectangle at = place_of(s, r, i);

	vertical_name(s, &s->f->panel[i].y, at.left, -1);
	vertical_name(s, &s->f->panel[i].right, at.right, 1);
}

/* The same of the scale of colours, at the right end of the page. */
static void name_of_scale(struct script *s, const struct room *r, size_t i)
{
	struct rectangle at = place_of(s, r, i);
	const struct panel *p = &s->f->panel[i];

	if (p->color == NULL || !p->has_colors || p->color->label.n == 0)
		return;
	out_text(s->o, "set label ");
	script_words_within(s, p->color->label, s->panel_height);
	out_text(s->o, " at screen ");
	script_position(s, 1 - 0.8 * s->canvas.line / s->canvas.width);
	out_text(s->o, ", screen ");
	script_position(s, (at.top + at.bottom) / 2);
	out_text(s->o, " center rotate by 90\n");
}

static void write_axes(struct script *s, const struct panel *p, size_t i)
{
	write_axis(s, "x", &p->x, is_at_baseline(s->f, i) && !p->x.unlabelled);
	write_axis(s, "x2", &p->above, is_at_top(s->f, i));
	write_axis(s, "y", &p->y, !p->y.unlabelled);
	write_axis(s, "y2", &p->right, true);
	out_text(s->o, p->has_grid ? "set grid noxtics ytics lt 1 lw 0.5 lc rgb 0xd8dce0\n"
				   : "unset grid\n");
}

/* --- panels -------------------------------------------------------------------------------- */

static void write_plot(struct script *s, const struct panel *p, size_t i)
{
	size_t n = 0;

	script_key(s, i);
	out_text(s->o, "plot ");
	for (size_t k = 0; k < p->n_series; k++) {
		if (p->series[k].n_rows == 0)
			continue;
		out_text(s->o, n++ > 0 ? ", \\\n\t" : "");
		script_data_name(s, i, k);
		script_series(s, p, &p->series[k]);
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

/* Writes the palette of a panel, and its scale at the right end of the page. */
static void color_box(struct script *s, const struct room *r, size_t i)
{
	const struct panel *p = &s->f->panel[i];
	struct rectangle at = place_of(s, r, i);

	if (p->color == NULL)
		return;
	if (i == 0 || s->f->panel[i - 1].color != p->color)
		script_palette(s, p->color);
	if (!p->has_colors) {
		out_text(s->o, "unset colorbox\n");
		return;
	}
	out_printf(s->o,
		   "set colorbox vertical user origin screen %.4f, screen %.4f size screen "
		   "%.4f, screen %.4f noborder\n",
		   1 - LETTERS_OF_SCALE * s->canvas.letter / s->canvas.width, at.bottom,
		   1.2 * s->canvas.letter / s->canvas.width, at.top - at.bottom);
}

static void write_panel(struct script *s, const struct room *r, size_t i)
{
	const struct panel *p = &s->f->panel[i];

	if (p->blank)
		return;
	out_char(s->o, '\n');
	if (p->name.n > 0)
		write_comment(s, p->name);
	if (s->f->in_space) {
		script_space(s, i);
		return;
	}
	write_position(s, r, i);
	color_box(s, r, i);
	write_axes(s, p, i);
	script_marks(s, p, i);
	vertical_names(s, r, i);
	name_of_scale(s, r, i);
	if (i == 0)
		script_title_and_note(s);
	write_plot(s, p, i);
}

void gnuplot_script(struct out *o, const struct figure *f, const struct look *look,
		    struct str output)
{
	struct script s = { .o = o, .f = f, .look = look, .canvas = look_canvas(look, f) };
	struct room r = room_for(&s);

	/* The width of a panel determines the lines above it, and these its height. */
	size_panels(&s, &r);
	r = room_for(&s);
	if (s.canvas.height == 0)
		s.canvas.height = height_for(&s, &r);
	size_panels(&s, &r);
	write_head(&s, output);
	out_char(o, '\n');
	for (size_t i = 0; i < f->n_panels; i++) {
		for (size_t k = 0; k < f->panel[i].n_series; k++)
			script_data(&s, i, k);
	}
	out_text(o, f->n_panels > 1 ? "\nset multiplot\n" : "\n");
	for (size_t i = 0; i < f->n_panels; i++)
		write_panel(&s, &r, i);
	out_text(o, f->n_panels > 1 ? "unset multiplot\n" : "");
}
