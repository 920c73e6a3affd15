/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plotting/gnuplot_words.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/escape.h"
#include "base/out.h"

enum { DIGITS = 12, DIGITS_OF_AXES = 6, MIN_LETTERS = 12 };

void script_number(struct script *s, double v)
{
	out_digits(s->o, v, DIGITS);
}

void script_position(struct script *s, double v)
{
	out_digits(s->o, v, DIGITS_OF_AXES);
}

/* Writes text, escaped for LaTeX if the format needs it. */
static void write_words(struct script *s, struct out *to, struct str words)
{
	if (s->look->terminal->latex)
		escape_latex(to, words);
	else
		out_bytes(to, words);
}

void script_words(struct script *s, struct str words)
{
	struct out *text = out_to_memory();

	write_words(s, text, words);
	escape_gnuplot(s->o, out_memory(text));
	out_free(text);
}

/* --- width of text ----------------------------------------------------------------------- */

/* Returns the width of a character relative to an average letter in a common sans serif font.
 * Characters that are not listed are as wide as a digit. */
static double letter_width(char c)
{
	static const struct {
		const char *letters;
		double width;
	} of[] = {
		{ " .,:;'|/\\!ijlI", 0.53 },	     { "frt()[]-\"`", 0.68 }, { "_csz", 0.9 },
		{ "ABCDEFGHJKLNOPQRSTUVXYZ", 1.25 }, { "w+<>=~#", 1.4 },      { "mMW@%&", 1.65 },
	};

	if ((unsigned char)c >= 0x80)
		return ((unsigned char)c & 0xc0) == 0x80 ? 0 : 1.65; /* counted at its first byte */
	for (size_t i = 0; i < COUNT_OF(of); i++) {
		if (strchr(of[i].letters, c) != NULL)
			return of[i].width;
	}
	return 1.06;
}

double script_words_width(const struct script *s, struct str words)
{
	double width = 0;

	for (size_t i = 0; i < words.n; i++)
		width += letter_width(words.p[i]) * s->canvas.letter;
	return width;
}

void script_words_within(struct script *s, struct str words, double width)
{
	struct arena *a = arena_new();
	struct str cut = words;

	for (size_t n = words.n; n > MIN_LETTERS && script_words_width(s, cut) > width; n--)
		cut = words_cut(a, words, n - 1);
	script_words(s, cut);
	arena_free(a);
}

/* --- axes and data ----------------------------------------------------------------------- */

/* gnuplot treats the label of a tick as a format, so percent signs are doubled. */
static void tick_label(struct script *s, struct str label)
{
	struct out *text = out_to_memory(), *doubled = out_to_memory();
	struct str words;

	write_words(s, text, label);
	words = out_memory(text);
	for (size_t i = 0; i < words.n; i++) {
		out_char(doubled, words.p[i]);
		if (words.p[i] == '%')
			out_char(doubled, '%');
	}
	escape_gnuplot(s->o, out_memory(doubled));
	out_free(text);
	out_free(doubled);
}

void script_ticks(struct script *s, const char *axis, const struct tick *tick, size_t n,
		  const bool *shown)
{
	if (n == 0) {
		out_printf(s->o, "unset %stics\n", axis);
		return;
	}
	out_printf(s->o, "set %stics (", axis);
	for (size_t i = 0; i < n; i++) {
		out_text(s->o, i == 0 ? "" : i % 8 == 0 ? ", \\\n\t" : ", ");
		tick_label(s, shown == NULL || shown[i] ? tick[i].label : STR(""));
		out_char(s->o, ' ');
		script_position(s, tick[i].at);
	}
	out_text(s->o, ")\n");
}

void script_range(struct script *s, const char *axis, double from, double to)
{
	out_printf(s->o, "set %srange [", axis);
	script_position(s, from);
	out_char(s->o, ':');
	script_position(s, to);
	out_text(s->o, "]\n");
}

void script_data_name(struct script *s, size_t panel, size_t k)
{
	out_printf(s->o, "$%s_%zu_%zu", s->f->panel[panel].series[k].name, panel + 1, k + 1);
}

/* gnuplot interrupts a line where a number is NaN. */
static void data_number(struct script *s, double v)
{
	if (isnan(v))
		out_text(s->o, "NaN");
	else
		script_number(s, v);
}

void script_data(struct script *s, size_t panel, size_t k)
{
	const struct series *series = &s->f->panel[panel].series[k];
	size_t columns = shape_columns(series->shape);

	if (series->n_rows == 0)
		return;
	script_data_name(s, panel, k);
	out_printf(s->o, " << EOD\n# %s\n", series->columns);
	for (size_t i = 0; i < series->n_rows; i++) {
		for (size_t c = 0; c < columns; c++) {
			out_text(s->o, c > 0 ? " " : "");
			data_number(s, series->cell[i * columns + c]);
		}
		out_char(s->o, '\n');
	}
	out_text(s->o, "EOD\n");
}
