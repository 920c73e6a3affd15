/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/table.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/out.h"
#include "base/xalloc.h"

enum {
	CSV_DIGITS = 12,
	GAP = 2, /* blanks between columns */
};

struct cell {
	size_t n;	/* bytes in `cells`, which follow those of the previous cell */
	uint32_t width; /* columns of the terminal */
	uint8_t tone;	/* enum tone */
};

/* A column that the output format shows. */
struct shown {
	const struct column *column;
	size_t width; /* text: columns of the terminal that its widest cell takes */
	bool right;
	bool last;
	bool used;     /* some cell of it has text */
	bool left_out; /* no cell has text, or the terminal is too narrow for it */
	bool kept;     /* whatever its width */
	unsigned spare;
};

/* A cached text of a range of latencies. */
struct range_text {
	double edge[2];
	struct scale scale;
	size_t n; /* bytes of text; 0: the entry is unused */
	char text[24];
};

enum { RANGES = 64 }; /* a power of two */

struct table {
	const struct column *column;
	size_t n_columns;
	struct shown *shown;
	size_t n_shown;
	struct shown **as; /* how each column is shown; NULL: it is not */
	const struct style *style;
	struct out *out;
	struct out *cells; /* contents of the cells, already escaped */
	struct out *spare; /* buffer for a cell that is not shown, or is being assembled */
	struct cell *cell;
	size_t n_cells, cap_cells;
	size_t next; /* column of the next cell */
	size_t from; /* offset of its text in `cells` */
	struct range_text range[RANGES];
};

static bool prints_csv(const struct table *t)
{
	return t->style->output_format == OUTPUT_FORMAT_CSV;
}

static void lay_out(struct table *t)
{
	t->shown = xcalloc(t->n_columns, sizeof(*t->shown));
	t->as = xcalloc(t->n_columns, sizeof(*t->as));
	for (size_t i = 0; i < t->n_columns; i++) {
		const struct column *c = &t->column[i];
		struct shown *shown = &t->shown[t->n_shown];

		if ((prints_csv(t) ? c->name : c->title) == NULL)
			continue;
		shown->column = c;
		shown->width = prints_csv(t) ? 0 : escape_terminal_width(str_from(c->title));
		shown->right = c->align == ALIGN_RIGHT;
		t->as[i] = shown;
		t->n_shown++;
	}
	if (t->n_shown > 0)
		t->shown[t->n_shown - 1].last = true;
}

static void csv_header(struct table *t)
{
	for (size_t i = 0; i < t->n_shown; i++) {
		if (i > 0)
			out_char(t->out, ',');
		out_text(t->out, t->shown[i].column->name);
	}
	out_char(t->out, '\n');
}

struct table *table_part(const struct column *columns, size_t n, const struct style *style,
			 struct out *o)
{
	struct table *t = xcalloc(1, sizeof(*t));

	t->column = columns;
	t->n_columns = n;
	t->style = style;
	t->out = o;
	t->cells = out_to_memory();
	t->spare = out_to_memory();
	lay_out(t);
	return t;
}

struct table *table_begin(const struct column *columns, size_t n, const struct style *style,
			  struct out *o)
{
	struct table *t = table_part(columns, n, style, o);

	if (prints_csv(t))
		csv_header(t);
	return t;
}

void table_spare(struct table *t, size_t column, unsigned degree)
{
	if (t->as[column] != NULL)
		t->as[column]->spare = degree;
}

void table_keep_last(struct table *t)
{
	t->shown[t->n_shown - 1].kept = true;
}

/* Returns where to write the next cell; NULL when this output format does not show it. */
static struct out *open_cell(struct table *t)
{
	if (t->as[t->next] == NULL)
		return NULL;
	if (prints_csv(t)) {
		if (t->next > 0)
			out_char(t->out, ',');
		return t->out;
	}
	t->from = out_memory(t->cells).n;
	return t->cells;
}

/* Completes the next cell; `width` is its width in terminal columns. */
static void close_cell(struct table *t, size_t width, enum tone tone)
{
	struct shown *as = t->as[t->next];

	if (as != NULL && !prints_csv(t)) {
		t->cell = xgrow(t->cell, &t->cap_cells, t->n_cells + 1, sizeof(*t->cell));
		t->cell[t->n_cells++] = (struct cell){
			.n = out_memory(t->cells).n - t->from,
			.width = (uint32_t)width,
			.tone = (uint8_t)tone,
		};
		if (width > as->width)
			as->width = width;
		as->used |= out_memory(t->cells).n > t->from;
	}
	if (++t->next == t->n_columns) {
		t->next = 0;
		if (prints_csv(t))
			out_char(t->out, '\n');
	}
}

/* Returns the text that was written since the cell was opened. */
static struct str written(const struct table *t)
{
	return str_skip(out_memory(t->cells), t->from);
}

void table_expect(struct table *t, size_t n_rows)
{
	enum { USUAL_BYTES = 16 };
	const size_t n = n_rows * t->n_shown;

	if (prints_csv(t))
		return;
	t->cell = xgrow(t->cell, &t->cap_cells, t->n_cells + n, sizeof(*t->cell));
	if (n > 0)
		(void)out_reserve(t->cells, n * USUAL_BYTES);
}

void table_close(struct table *t, enum tone tone)
{
	const struct shown *as = t->as[t->next];
	/* The width of the last column matters only when it is padded, or when all must fit. */
	bool matters =
		as != NULL && !prints_csv(t) && (as->right || !as->last || t->style->width > 0);

	close_cell(t, matters ? escape_terminal_width(written(t)) : 0, tone);
}

/* Completes a cell of digits, points and units, where each byte takes one terminal column. */
static void close_number(struct table *t)
{
	close_cell(t, out_memory(t->cells).n - t->from, TONE_PLAIN);
}

void table_name(struct table *t, struct str hostile)
{
	struct out *o = open_cell(t);

	if (o != NULL && prints_csv(t))
		escape_csv(o, hostile);
	else if (o != NULL && t->style->output_format == OUTPUT_FORMAT_MARKDOWN)
		escape_markdown(o, hostile);
	else if (o != NULL && hostile.n == 0)
		out_text(o, "(no name)");
	else if (o != NULL)
		escape_terminal(o, hostile);
	table_close(t, TONE_PLAIN);
}

void table_name_of(struct table *t, struct str layer, struct str name)
{
	out_reset(t->spare);
	out_bytes(t->spare, layer);
	out_char(t->spare, '/');
	out_bytes(t->spare, name);
	table_name(t, out_memory(t->spare));
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
	close_number(t);
}

void table_number(struct table *t, double v)
{
	struct out *o = open_cell(t);

	if (o != NULL && !isnan(v)) {
		if (prints_csv(t))
			out_digits(o, v, CSV_DIGITS);
		else if (v == 0 || (fabs(v) >= 1e-3 && fabs(v) < 1e5))
			out_decimals(o, v, fabs(v) >= 100 ? 1 : 3);
		else
			out_printf(o, "%.3g", v);
	}
	close_number(t);
}

void table_latency(struct table *t, double v, struct scale s, bool estimated)
{
	struct out *o = open_cell(t);

	if (o != NULL && isnan(v)) {
		if (!prints_csv(t))
			out_char(o, '-');
	} else if (o != NULL && prints_csv(t)) {
		out_digits(o, v, CSV_DIGITS);
	} else if (o != NULL) {
		if (estimated)
			out_text(o, "~");
		quantity_latency(o, v, s);
	}
	close_number(t);
}

/* Returns the cache entry of a range.  Consecutive powers of two map to different entries. */
static struct range_text *place_of_range(struct table *t, double low)
{
	uint64_t bits;

	memcpy(&bits, &low, sizeof(bits));
	return &t->range[(bits >> (DBL_MANT_DIG - 1)) % RANGES];
}

/* Caches the text: the rows of a table repeat the same few ranges. */
static void put_range(struct table *t, struct out *o, double low, double high, struct scale s)
{
	const double edge[2] = { low, high };
	struct range_text *r = place_of_range(t, low);
	size_t n = o->n;

	if (r->n > 0 && memcmp(r->edge, edge, sizeof(edge)) == 0 && r->scale.unit == s.unit &&
	    r->scale.hz == s.hz && r->scale.granularity == s.granularity) {
		out_bytes(o, (struct str){ r->text, r->n });
		return;
	}
	quantity_range(o, low, high, s);
	n = o->n - n;
	if (n > sizeof(r->text))
		return;
	*r = (struct range_text){ .edge = { low, high }, .scale = s, .n = n };
	memcpy(r->text, o->buf + o->n - n, n);
}

void table_range(struct table *t, double low, double high, struct scale s)
{
	struct out *o = open_cell(t);

	assert(!prints_csv(t) || o == NULL);
	if (o != NULL && !isnan(low))
		put_range(t, o, low, high, s);
	close_number(t);
}

void table_share(struct table *t, double v)
{
	struct out *o = open_cell(t);

	if (o != NULL && !prints_csv(t))
		quantity_percent(o, v);
	else if (o != NULL && !isnan(v))
		out_digits(o, v, CSV_DIGITS);
	close_number(t);
}

void table_empty(struct table *t)
{
	(void)open_cell(t);
	table_close(t, TONE_PLAIN);
}

static void print_toned(const struct table *t, struct str text, enum tone tone)
{
	if (tone != TONE_PLAIN)
		tone_begin(t->out, t->style, tone);
	out_bytes(t->out, text);
	if (tone != TONE_PLAIN)
		tone_end(t->out, t->style, tone);
}

/* Prints the cell of a column after `gap` blanks; returns the gap before the next one. */
static size_t print_cell(const struct table *t, const struct shown *as, size_t gap, struct str text,
			 size_t width, enum tone tone)
{
	const size_t pad = as->width - width;

	out_repeat(t->out, ' ', as->right ? gap + pad : gap);
	print_toned(t, text, tone);
	if (as->last)
		out_char(t->out, '\n');
	return as->last ? 0 : as->right ? GAP : GAP + pad;
}

static size_t total_width(const struct table *t)
{
	size_t width = 0;

	for (size_t i = 0; i < t->n_shown; i++)
		width += t->shown[i].left_out ? 0
			 : t->shown[i].kept   ? strlen(t->shown[i].column->title) + GAP
					      : t->shown[i].width + GAP;
	return width - GAP;
}

/* Never returns one of the first two columns; NULL when there is no other. */
static struct shown *next_to_leave_out(const struct table *t)
{
	struct shown *found = NULL;

	for (size_t i = 2; i < t->n_shown; i++) {
		struct shown *s = &t->shown[i];

		if (!s->left_out && !s->kept && (found == NULL || s->spare >= found->spare))
			found = s;
	}
	return found;
}

/* Marks the last column that is printed. */
static void find_last(struct table *t)
{
	for (size_t i = 0, seen = 0; i < t->n_shown; i++) {
		struct shown *s = &t->shown[t->n_shown - 1 - i];

		s->last = !s->left_out && seen++ == 0;
	}
}

static void leave_out_unused(struct table *t)
{
	for (size_t i = 0; i < t->n_shown; i++)
		t->shown[i].left_out = t->n_cells > 0 && !t->shown[i].used;
	find_last(t);
}

static void fit(struct table *t)
{
	struct shown *next;

	while (total_width(t) > t->style->width && (next = next_to_leave_out(t)) != NULL) {
		for (size_t i = 2; i < t->n_shown; i++)
			t->shown[i].left_out |= next->spare > 0 && t->shown[i].spare == next->spare;
		next->left_out = true;
	}
	find_last(t);
}

static void report_left_out(const struct table *t)
{
	size_t n = 0;

	for (size_t i = 0; i < t->n_shown; i++) {
		const struct shown *s = &t->shown[i];

		if (!s->left_out || (t->n_cells > 0 && !s->used))
			continue;
		if (n++ == 0) {
			tone_begin(t->out, t->style, TONE_DIM);
			out_printf(t->out, "(%u columns have no room for ", t->style->width);
		} else {
			out_text(t->out, ", ");
		}
		out_text(t->out, s->column->title);
	}
	if (n == 0)
		return;
	out_text(t->out, ")");
	tone_end(t->out, t->style, TONE_DIM);
	out_char(t->out, '\n');
}

static void print_text(struct table *t)
{
	const char *at = out_memory(t->cells).p;
	size_t gap = 0;

	leave_out_unused(t);
	if (t->style->width > 0 && t->n_shown > 0)
		fit(t);
	for (size_t i = 0; i < t->n_shown; i++) {
		struct str title = str_from(t->shown[i].column->title);

		if (!t->shown[i].left_out)
			gap = print_cell(t, &t->shown[i], gap, title, escape_terminal_width(title),
					 TONE_STRONG);
	}
	for (size_t i = 0; i < t->n_cells; i++) {
		const struct cell *c = &t->cell[i];
		const struct str text = { at, c->n };
		const struct shown *as = &t->shown[i % t->n_shown];

		at += c->n;
		if (!as->left_out)
			gap = print_cell(t, as, gap, text, c->width, (enum tone)c->tone);
	}
	report_left_out(t);
}

/* Blanks of small bar charts of block characters are kept in code spans only. */
static void print_markdown_cell(struct out *o, struct str s)
{
	bool chart = false;

	for (size_t i = 0; i + 2 < s.n && !chart; i++)
		chart = (unsigned char)s.p[i] == 0xe2 && (unsigned char)s.p[i + 1] == 0x96;
	while (chart && s.p[s.n - 1] == ' ')
		s.n--;
	out_text(o, chart ? "`" : "");
	out_bytes(o, s);
	out_text(o, chart ? "`" : "");
}

static void print_markdown(struct table *t)
{
	struct str rest = out_memory(t->cells);

	leave_out_unused(t);
	for (size_t i = 0; i < t->n_shown; i++) {
		if (!t->shown[i].left_out)
			out_printf(t->out, "| %s ", t->shown[i].column->title);
	}
	out_text(t->out, "|\n");
	for (size_t i = 0; i < t->n_shown; i++) {
		if (!t->shown[i].left_out)
			out_text(t->out, t->shown[i].right ? "| ---: " : "| --- ");
	}
	out_text(t->out, "|\n");
	for (size_t i = 0; i < t->n_cells; i++) {
		const struct shown *as = &t->shown[i % t->n_shown];
		struct str text = { rest.p, t->cell[i].n };

		rest = str_skip(rest, text.n);
		if (as->left_out)
			continue;
		out_text(t->out, "| ");
		print_markdown_cell(t->out, text);
		out_text(t->out, as->last ? " |\n" : " ");
	}
}

void table_end(struct table *t)
{
	assert(t->next == 0); /* each row has a cell for each column */
	if (t->style->output_format == OUTPUT_FORMAT_TEXT)
		print_text(t);
	else if (t->style->output_format == OUTPUT_FORMAT_MARKDOWN)
		print_markdown(t);
	out_free(t->cells);
	out_free(t->spare);
	free(t->cell);
	free((void *)t->as);
	free(t->shown);
	free(t);
}
