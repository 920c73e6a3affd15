/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/table.h"

#include <math.h>
#include <stdlib.h>

#include "base/escape.h"
#include "base/out.h"
#include "base/xalloc.h"

enum { CSV_DIGITS = 12 };

struct cell {
	size_t n;	/* bytes of `cells`, behind those of the cell before */
	uint32_t width; /* columns of the terminal */
	uint8_t tone;	/* enum tone */
	bool line;	/* goes over the whole width, and is no cell of a row */
};

struct table {
	const struct column *column;
	size_t n_columns;
	const struct style *style;
	struct out *out;
	struct out *cells; /* what is in them, already escaped */
	struct out *spare; /* for one that is not shown */
	struct cell *cell;
	size_t n_cells, cap_cells;
	size_t next; /* column to be filled */
	size_t from; /* byte of `cells` where its text begins */
};

static bool is_shown(const struct table *t, size_t column)
{
	const struct column *c = &t->column[column];

	return t->style->dress == DRESS_CSV ? !c->text_only : c->title != NULL;
}

static void csv_header(struct table *t)
{
	bool first = true;

	for (size_t i = 0; i < t->n_columns; i++) {
		if (!is_shown(t, i))
			continue;
		if (!first)
			out_char(t->out, ',');
		out_text(t->out, t->column[i].name);
		first = false;
	}
	out_char(t->out, '\n');
}

struct table *table_part(const struct column *columns, size_t n, const struct style *style,
			 struct out *o)
{
	struct table *t = xcalloc(1, sizeof(*t));

	*t = (struct table){ .column = columns, .n_columns = n, .style = style, .out = o };
	t->cells = out_to_memory();
	t->spare = out_to_memory();
	return t;
}

struct table *table_begin(const struct column *columns, size_t n, const struct style *style,
			  struct out *o)
{
	struct table *t = table_part(columns, n, style, o);

	if (style->dress == DRESS_CSV)
		csv_header(t);
	return t;
}

static bool csv(const struct table *t)
{
	return t->style->dress == DRESS_CSV;
}

/* Where the contents of the next cell go; NULL when this dress does not show it. */
static struct out *open_cell(struct table *t)
{
	if (!is_shown(t, t->next))
		return NULL;
	if (csv(t)) {
		if (t->next > 0)
			out_char(t->out, ',');
		return t->out;
	}
	t->from = out_memory(t->cells).n;
	return t->cells;
}

static struct cell *add_cell(struct table *t, enum tone tone)
{
	struct cell *c;

	t->cell = xgrow(t->cell, &t->cap_cells, t->n_cells + 1, sizeof(*t->cell));
	c = &t->cell[t->n_cells++];
	*c = (struct cell){ .n = out_memory(t->cells).n - t->from, .tone = (uint8_t)tone };
	return c;
}

void table_close(struct table *t, enum tone tone)
{
	if (is_shown(t, t->next) && !csv(t)) {
		struct cell *c = add_cell(t, tone);

		c->width = (uint32_t)escape_terminal_width(str_skip(out_memory(t->cells), t->from));
	}
	if (++t->next == t->n_columns) {
		t->next = 0;
		if (csv(t))
			out_char(t->out, '\n');
	}
}

void table_name(struct table *t, struct str hostile)
{
	struct out *o = open_cell(t);

	if (o != NULL && csv(t))
		escape_csv(o, hostile);
	else if (o != NULL && t->style->dress == DRESS_MARKDOWN)
		escape_markdown(o, hostile);
	else if (o != NULL && hostile.n == 0)
		out_text(o, "(no name)");
	else if (o != NULL)
		escape_terminal(o, hostile);
	table_close(t, TONE_PLAIN);
}

void table_text(struct table *t, const char *ours, enum tone tone)
{
	struct out *o = open_cell(t);

	if (o != NULL)
		out_text(o, ours);
	table_close(t, tone);
}

struct out *table_open(struct table *t)
{
	struct out *o = open_cell(t);

	if (o != NULL)
		return o;
	out_reset(t->spare);
	return t->spare;
}

void table_count(struct table *t, uint64_t v)
{
	struct out *o = open_cell(t);

	if (o != NULL)
		out_u64(o, v);
	table_close(t, TONE_PLAIN);
}

void table_number(struct table *t, double v)
{
	struct out *o = open_cell(t);

	if (o != NULL && !isnan(v)) {
		if (csv(t))
			out_digits(o, v, CSV_DIGITS);
		else if (v == 0 || (fabs(v) >= 1e-3 && fabs(v) < 1e5))
			out_decimals(o, v, fabs(v) >= 100 ? 1 : 3);
		else
			out_printf(o, "%.3g", v);
	}
	table_close(t, TONE_PLAIN);
}

void table_latency(struct table *t, double v, struct scale s, bool estimated)
{
	struct out *o = open_cell(t);

	if (o != NULL && isnan(v)) {
		if (!csv(t))
			out_char(o, '-');
	} else if (o != NULL && csv(t)) {
		out_digits(o, v, CSV_DIGITS);
	} else if (o != NULL) {
		if (estimated)
			out_text(o, "~");
		quantity_latency(o, v, s);
	}
	table_close(t, TONE_PLAIN);
}

void table_share(struct table *t, double v)
{
	struct out *o = open_cell(t);

	if (o != NULL && !csv(t))
		quantity_percent(o, v);
	else if (o != NULL && !isnan(v))
		out_digits(o, v, CSV_DIGITS);
	table_close(t, TONE_PLAIN);
}

void table_empty(struct table *t)
{
	(void)open_cell(t);
	table_close(t, TONE_PLAIN);
}

void table_line(struct table *t, struct str text, enum tone tone)
{
	if (t->style->dress != DRESS_TEXT)
		return;
	t->from = out_memory(t->cells).n;
	out_bytes(t->cells, text);
	add_cell(t, tone)->line = true;
}

static size_t next_shown(const struct table *t, size_t column)
{
	while (column < t->n_columns && !is_shown(t, column))
		column++;
	return column;
}

static size_t *measure(const struct table *t)
{
	size_t *width = xcalloc(t->n_columns, sizeof(*width)), column = next_shown(t, 0);

	for (size_t i = 0; i < t->n_columns; i++)
		width[i] = is_shown(t, i) ? escape_terminal_width(str_from(t->column[i].title)) : 0;
	for (size_t i = 0; i < t->n_cells; i++) {
		if (t->cell[i].line)
			continue;
		if (t->cell[i].width > width[column])
			width[column] = t->cell[i].width;
		column = next_shown(t, column + 1);
		if (column == t->n_columns)
			column = next_shown(t, 0);
	}
	return width;
}

static void print_cell(const struct table *t, struct str text, size_t width, size_t room,
		       size_t column, enum tone tone)
{
	bool right = t->column[column].align == ALIGN_RIGHT;
	bool last = next_shown(t, column + 1) == t->n_columns;
	size_t pad = room > width ? room - width : 0;

	if (right)
		out_repeat(t->out, ' ', pad);
	tone_begin(t->out, t->style, tone);
	out_bytes(t->out, text);
	tone_end(t->out, t->style, tone);
	if (!right && !last)
		out_repeat(t->out, ' ', pad);
	out_text(t->out, last ? "\n" : "  ");
}

static void print_text(const struct table *t)
{
	size_t *width = measure(t), column = next_shown(t, 0);
	struct str text, rest = out_memory(t->cells);

	for (size_t i = column; i < t->n_columns; i = next_shown(t, i + 1)) {
		struct str title = str_from(t->column[i].title);

		print_cell(t, title, escape_terminal_width(title), width[i], i, TONE_STRONG);
	}
	for (size_t i = 0; i < t->n_cells; i++) {
		const struct cell *c = &t->cell[i];

		text = (struct str){ rest.p, c->n };
		rest = str_skip(rest, c->n);
		if (c->line) {
			tone_begin(t->out, t->style, (enum tone)c->tone);
			out_bytes(t->out, text);
			tone_end(t->out, t->style, (enum tone)c->tone);
			out_char(t->out, '\n');
			continue;
		}
		print_cell(t, text, c->width, width[column], column, (enum tone)c->tone);
		column = next_shown(t, column + 1);
		if (column == t->n_columns)
			column = next_shown(t, 0);
	}
	free(width);
}

static void print_markdown(const struct table *t)
{
	size_t first = next_shown(t, 0), column = first;
	struct str rest = out_memory(t->cells);

	for (size_t i = first; i < t->n_columns; i = next_shown(t, i + 1))
		out_printf(t->out, "| %s ", t->column[i].title);
	out_text(t->out, "|\n");
	for (size_t i = first; i < t->n_columns; i = next_shown(t, i + 1))
		out_text(t->out, t->column[i].align == ALIGN_RIGHT ? "| ---: " : "| --- ");
	out_text(t->out, "|\n");
	for (size_t i = 0; i < t->n_cells; i++) {
		out_text(t->out, "| ");
		out_bytes(t->out, (struct str){ rest.p, t->cell[i].n });
		rest = str_skip(rest, t->cell[i].n);
		out_char(t->out, ' ');
		column = next_shown(t, column + 1);
		if (column == t->n_columns) {
			out_text(t->out, "|\n");
			column = first;
		}
	}
}

void table_end(struct table *t)
{
	if (t->style->dress == DRESS_TEXT)
		print_text(t);
	else if (t->style->dress == DRESS_MARKDOWN)
		print_markdown(t);
	out_free(t->cells);
	out_free(t->spare);
	free(t->cell);
	free(t);
}
