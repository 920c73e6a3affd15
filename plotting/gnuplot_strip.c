/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words around panels: in the strip above a panel its name and its key, which never lie over data;
 * the title of a figure, and its note. */
#include <math.h>

#include "base/arena.h"
#include "base/escape.h"
#include "base/out.h"
#include "plotting/gnuplot_words.h"

static const double strip_line = 1.3;	  /* height of a line of names, in lines */
static const double sample_letters = 7.5; /* width of a key's sample and the blanks around it */
static const double key_blanks = 4.5; /* the same, in the characters that gnuplot reckons with */
static const double max_name = 0.75;  /* part of a panel's width for a name beside a key */

double script_axis_lines(const struct axis *x)
{
	return x->n_ticks == 0 || x->unlabelled ? 0 : x->label.n > 0 ? 2.6 : 1.4;
}

double script_above_lines(const struct axis *x)
{
	return x->n_ticks == 0 ? 0 : x->label.n > 0 ? 3.2 : 1.6;
}

static bool is_entry(const struct series *s)
{
	return s->n_rows > 0 && s->title.n > 0;
}

static bool has_entries(const struct panel *p)
{
	for (size_t i = 0; i < p->n_series; i++) {
		if (is_entry(&p->series[i]))
			return p->has_key;
	}
	return false;
}

/* One key is enough: that of the first panel that has something to explain. */
static bool has_key(const struct script *s, size_t i)
{
	const struct panel *p = s->f->panel;

	for (size_t k = 0; k < i && !p[i].own_key; k++) {
		if (has_entries(&p[k]))
			return false;
	}
	return has_entries(&p[i]);
}

/* Returns the width that gnuplot takes any character for when it breaks a key into rows. */
static double key_character(const struct script *s)
{
	const struct terminal *t = s->look->terminal;

	return t->character > 0 ? t->character * t->font_factor * look_font_size(s->look)
				: script_words_width(s, STR("0"));
}

/* Returns the width of an entry with this title: of its words, or that which gnuplot reckons with
 * if it is more, so that gnuplot never needs more rows than there is room for. */
static double entry_width(const struct script *s, struct str title)
{
	double words = script_words_width(s, title);
	double characters = (double)escape_terminal_width(title);

	return fmax(words + sample_letters * s->canvas.letter,
		    (characters + key_blanks) * key_character(s));
}

/* The entries of a key; all are as wide as the widest. */
struct key {
	size_t n, across; /* entries, and entries side by side */
	double entry;	  /* width of one */
};

static struct key key_of(const struct script *s, size_t i)
{
	const struct panel *p = &s->f->panel[i];
	struct key k = { 0, 1, 0 };
	double fit;

	for (size_t r = 0; r < p->n_series && has_key(s, i); r++) {
		if (!is_entry(&p->series[r]))
			continue;
		k.n++;
		k.entry = fmax(k.entry, entry_width(s, p->series[r].title));
	}
	fit = k.n > 0 ? floor(s->panel_width / k.entry) : 1;
	k.across = fit >= (double)k.n ? k.n : fit < 1 ? 1 : (size_t)fit;
	return k;
}

static size_t rows_of(const struct key *k)
{
	return k->n == 0 ? 0 : (k->n + k->across - 1) / k->across;
}

/* Whether the key fits beside the name. */
static bool is_beside_name(const struct script *s, size_t i, const struct key *k)
{
	double name = fmin(script_words_width(s, s->f->panel[i].name), max_name * s->panel_width);

	return rows_of(k) == 1 && name + (double)k->n * k->entry < s->panel_width;
}

double script_strip_lines(const struct script *s, size_t i)
{
	struct key k = key_of(s, i);
	double own_rows = is_beside_name(s, i, &k) ? 0 : (double)rows_of(&k);
	bool any = s->f->panel[i].name.n > 0 || (k.n > 0 && own_rows == 0);

	return (any ? strip_line : 0) + own_rows * strip_line;
}

/* Lines from the frame of panel i up to its strip. */
static double lines_below_strip(const struct script *s, size_t i)
{
	bool at_top = !s->f->shared_x || i < s->f->n_across;

	return at_top ? script_above_lines(&s->f->panel[i].above) : 0;
}

void script_key(struct script *s, size_t i)
{
	struct key k = key_of(s, i);
	bool own = !is_beside_name(s, i, &k) && s->f->panel[i].name.n > 0;
	double up = lines_below_strip(s, i) + (own ? strip_line : 0);

	if (k.n == 0) {
		out_text(s->o, "unset key\n");
		return;
	}
	out_text(s->o, "set key at graph 1, graph ");
	script_position(s, 1 + (up + 0.1) * s->canvas.line / s->panel_height);
	out_printf(s->o,
		   " right bottom Left reverse horizontal maxcols %zu "
		   "samplen 1.5 spacing 1\n",
		   k.across);
}

void script_name(struct script *s, size_t i)
{
	const struct panel *p = &s->f->panel[i];
	struct key k = key_of(s, i);
	double room = s->panel_width;

	if (p->name.n == 0)
		return;
	if (is_beside_name(s, i, &k))
		room -= (double)k.n * k.entry + s->canvas.letter;
	out_text(s->o, "set label ");
	script_words_within(s, p->name, room);
	out_text(s->o, " at graph 0, graph ");
	script_position(s, 1 + (lines_below_strip(s, i) + 0.6) * s->canvas.line / s->panel_height);
	out_text(s->o, " front\n");
}

/* --- the title and the note --------------------------------------------------------------------
 */

/* Cuts the next line of at most `width` from the words, at a blank. */
static struct str next_line(const struct script *s, struct str *words, double width)
{
	struct str line = { words->p, 0 };
	size_t fit = 0;

	for (size_t n = 1; n <= words->n; n++) {
		if (n < words->n && words->p[n] != ' ')
			continue;
		line.n = n;
		if (fit > 0 && script_words_width(s, line) > width)
			break;
		fit = n;
	}
	line.n = fit;
	*words = str_skip(*words, fit < words->n ? fit + 1 : fit);
	return line;
}

static double note_width(const struct script *s)
{
	return s->canvas.width - 3 * s->canvas.letter;
}

static struct str note_of(const struct script *s)
{
	return look_has_note(s->look) ? s->f->note : STR("");
}

double script_note_lines(const struct script *s)
{
	struct str rest = note_of(s);
	double n = 0;

	while (rest.n > 0) {
		(void)next_line(s, &rest, note_width(s));
		n++;
	}
	return n > 0 ? n + 0.2 : 0;
}

static void page_label(struct script *s, struct str words, double x, double lines_up,
		       const char *align, const char *look)
{
	out_text(s->o, "set label ");
	script_words(s, words);
	out_text(s->o, " at screen ");
	script_position(s, x);
	out_text(s->o, ", screen ");
	script_position(s, lines_up * s->canvas.line / s->canvas.height);
	out_printf(s->o, " %s%s\n", align, look);
}

void script_title_and_note(struct script *s)
{
	struct arena *a = arena_new();
	struct str title = s->f->title, rest = note_of(s);
	double line = script_note_lines(s);

	for (size_t n = title.n; n > 12 && script_words_width(s, title) > note_width(s); n--)
		title = words_cut(a, s->f->title, n - 1);
	if (title.n > 0)
		page_label(s, title, 0.5, s->canvas.height / s->canvas.line - 1, "center", "");
	while (rest.n > 0) {
		struct str words = next_line(s, &rest, note_width(s));

		page_label(s, words, 1.5 * s->canvas.letter / s->canvas.width, line - 0.4, "left",
			   " tc rgb 0x606060");
		line--;
	}
	arena_free(a);
}
