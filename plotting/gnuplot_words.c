/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plotting/gnuplot_words.h"

#include "base/escape.h"
#include "base/out.h"

enum { DIGITS = 12, DIGITS_OF_AXES = 6 };

void script_number(struct script *s, double v)
{
	out_digits(s->o, v, DIGITS);
}

void script_place(struct script *s, double v)
{
	out_digits(s->o, v, DIGITS_OF_AXES);
}

/* In LaTeX's words where it will read them. */
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

/* A tick's label is a format: what would be a conversion is doubled. */
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

void script_ticks(struct script *s, const char *axis, const struct tick *tick, size_t n)
{
	if (n == 0) {
		out_printf(s->o, "unset %stics\n", axis);
		return;
	}
	out_printf(s->o, "set %stics (", axis);
	for (size_t i = 0; i < n; i++) {
		out_text(s->o, i == 0 ? "" : i % 8 == 0 ? ", \\\n\t" : ", ");
		tick_label(s, tick[i].label);
		out_char(s->o, ' ');
		script_place(s, tick[i].at);
	}
	out_text(s->o, ")\n");
}

void script_range(struct script *s, const char *axis, double from, double to)
{
	out_printf(s->o, "set %srange [", axis);
	script_place(s, from);
	out_char(s->o, ':');
	script_place(s, to);
	out_text(s->o, "]\n");
}

void script_data_name(struct script *s, size_t panel, size_t k)
{
	out_printf(s->o, "$%s_%zu_%zu", s->f->panel[panel].series[k].name, panel + 1, k + 1);
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
			script_number(s, series->cell[i * columns + c]);
		}
		out_char(s->o, '\n');
	}
	out_text(s->o, "EOD\n");
}
