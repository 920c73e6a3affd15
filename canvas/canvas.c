/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "canvas/canvas.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

#include "base/escape.h"
#include "base/out.h"
#include "base/utf8.h"
#include "base/xalloc.h"

const struct glyphs glyphs_unicode = {
	.unicode = true,
	.rising = { ' ', 0x2581, 0x2582, 0x2583, 0x2584, 0x2585, 0x2586, 0x2587, 0x2588 },
	.only_before = 0x2591,
	.both = 0x2592,
	.only_after = 0x2588,
	.heat = { ' ', 0xb7, 0x2591, 0x2592, 0x2593, 0x2588, 0x2588 },
	.less = { 0x2218, 0x25e6, 0x25cb },
	.more = { 0x2022, 0x25cf, 0x2588 },
	.horizontal = 0x2500,
	.vertical = 0x2502,
	.corner = 0x2514,
	.tick = 0x252c,
	.side_tick = 0x2524,
	.band = 0x2506,
	.left_end = 0x251c,
	.right_end = 0x2524,
	.marked = 0x2022,
	.cursor = 0x25b2,
	.ellipsis = "\xe2\x80\xa6",
	.arrow = "\xe2\x86\x92",
};

const struct glyphs glyphs_ascii = {
	.unicode = false,
	.rising = { ' ', '.', ':', '-', '=', '+', '*', '#', '#' },
	.only_before = 'o',
	.both = '%',
	.only_after = '#',
	.heat = { ' ', '.', ':', '+', '*', '%', '#' },
	.less = { ',', 'o', 'O' },
	.more = { '+', '*', '#' },
	.horizontal = '-',
	.vertical = '|',
	.corner = '+',
	.tick = '+',
	.side_tick = '+',
	.band = ':',
	.left_end = '<',
	.right_end = '>',
	.marked = '*',
	.cursor = '^',
	.ellipsis = "~",
	.arrow = "->",
};

void canvas_init(struct canvas *c, unsigned rows, unsigned cols, const struct glyphs *glyphs)
{
	*c = (struct canvas){ .rows = rows,
			      .cols = cols,
			      .stride = cols,
			      .cell = xcalloc((size_t)rows * cols + 1, sizeof(*c->cell)),
			      .glyphs = glyphs };
	canvas_clear(c);
}

void canvas_release(struct canvas *c)
{
	free(c->cell);
	c->cell = NULL;
}

static struct cell *cell_at(const struct canvas *c, unsigned row, unsigned col)
{
	return row < c->rows && col < c->cols ? &c->cell[(size_t)row * c->stride + col] : NULL;
}

bool canvas_is_blank(const struct canvas *c, unsigned row, unsigned col)
{
	const struct cell *at = cell_at(c, row, col);

	return at == NULL || at->code[0] == ' ';
}

void canvas_clear(struct canvas *c)
{
	for (unsigned row = 0; row < c->rows; row++)
		canvas_fill(c, row, 0, c->cols, FACE_PLAIN, ' ');
}

struct canvas canvas_part(const struct canvas *c, unsigned row, unsigned col, unsigned rows,
			  unsigned cols)
{
	struct canvas part = *c;

	row = row < c->rows ? row : c->rows;
	col = col < c->cols ? col : c->cols;
	part.rows = rows < c->rows - row ? rows : c->rows - row;
	part.cols = cols < c->cols - col ? cols : c->cols - col;
	if (part.rows > 0 && part.cols > 0)
		part.cell = &c->cell[(size_t)row * c->stride + col];
	return part;
}

/* --- characters --------------------------------------------------------------------- */

/* When one half of a wide character is overwritten, the other half becomes blank. */
static void split_wide(struct canvas *c, unsigned row, unsigned col)
{
	struct cell *at = cell_at(c, row, col), *next = cell_at(c, row, col + 1);

	if (at->code[0] == 0 && col > 0)
		cell_at(c, row, col - 1)->code[0] = ' ';
	if (next != NULL && next->code[0] == 0)
		next->code[0] = ' ';
}

static void put_cell(struct canvas *c, unsigned row, unsigned col, enum face face, uint32_t code)
{
	struct cell *at = cell_at(c, row, col);

	split_wide(c, row, col);
	*at = (struct cell){ .code = { code }, .face = (uint8_t)face };
}

static void combine_mark(struct canvas *c, unsigned row, unsigned col, uint32_t code)
{
	struct cell *at = col > 0 ? cell_at(c, row, col - 1) : NULL;

	if (at != NULL && at->code[0] == 0 && col > 1)
		at = cell_at(c, row, col - 2);
	for (unsigned i = 1; at != NULL && i < CELL_CODES; i++) {
		if (at->code[i] == 0) {
			at->code[i] = code;
			return;
		}
	}
}

static unsigned put_wide(struct canvas *c, unsigned row, unsigned col, enum face face,
			 uint32_t code)
{
	if (col + 1 >= c->cols) { /* only half of it would fit */
		put_cell(c, row, col, face, ' ');
		return col + 1;
	}
	put_cell(c, row, col, face, code);
	put_cell(c, row, col + 1, face, ' ');
	cell_at(c, row, col)->code[0] = code;
	cell_at(c, row, col + 1)->code[0] = 0;
	return col + 2;
}

unsigned canvas_code(struct canvas *c, unsigned row, unsigned col, enum face face, uint32_t code)
{
	int width = wcwidth((wchar_t)code);

	if (row >= c->rows || col >= c->cols)
		return col + (width == 2 ? 2 : width == 0 ? 0 : 1);
	if (width == 0 && code != 0) {
		combine_mark(c, row, col, code);
		return col;
	}
	if (width == 2)
		return put_wide(c, row, col, face, code);
	put_cell(c, row, col, face, width == 1 ? code : '?');
	return col + 1;
}

unsigned canvas_text(struct canvas *c, unsigned row, unsigned col, enum face face, struct str text)
{
	struct out *safe = out_to_memory();
	struct str rest;
	uint32_t code;
	size_t n;

	escape_terminal(safe, text);
	for (rest = out_memory(safe); utf8_decode(rest, &code, &n); rest = str_skip(rest, n))
		col = canvas_code(c, row, col, face, code);
	out_free(safe);
	return col;
}

unsigned canvas_printf(struct canvas *c, unsigned row, unsigned col, enum face face,
		       const char *fmt, ...)
{
	char text[512];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (n < 0)
		return col;
	return canvas_text(c, row, col, face, str_from(text));
}

size_t text_width(struct str text)
{
	return escape_terminal_width(text);
}

struct str text_end(struct str text, size_t width)
{
	size_t left = text_width(text), n;
	uint32_t code;

	while (left > width && utf8_decode(text, &code, &n)) {
		left -= text_width((struct str){ text.p, n });
		text = str_skip(text, n);
	}
	return text;
}

unsigned canvas_right(struct canvas *c, unsigned row, unsigned end, enum face face, struct str text)
{
	size_t width = text_width(text);

	return canvas_text(c, row, width < end ? end - (unsigned)width : 0, face, text);
}

/* Returns the part of a text that fits into a line of `width` columns: up to a blank, or cut off
 * if there is none. */
static struct str line_of(struct str text, size_t width)
{
	struct str line = { text.p, 0 };
	size_t blank = 0, n, used = 0;
	uint32_t code;

	while (line.n < text.n && utf8_decode(str_skip(text, line.n), &code, &n)) {
		int columns = wcwidth((wchar_t)code);

		used += columns > 0 ? (size_t)columns : 0;
		if (used > width && line.n > 0)
			break;
		if (code == ' ')
			blank = line.n;
		line.n += n;
	}
	if (line.n < text.n && blank > 0 && text.p[line.n] != ' ')
		line.n = blank;
	return line;
}

unsigned canvas_paragraph(struct canvas *c, unsigned row, unsigned col, enum face face,
			  struct str text)
{
	struct out *safe;
	struct str rest;

	if (col >= c->cols)
		return row;
	safe = out_to_memory();
	escape_terminal(safe, text);
	for (rest = out_memory(safe); rest.n > 0; row++) {
		struct str line = line_of(rest, c->cols - col);

		canvas_text(c, row, col, face, line);
		rest = str_skip(rest, line.n);
		while (str_has_prefix(rest, STR(" ")))
			rest = str_skip(rest, 1);
	}
	out_free(safe);
	return row;
}

unsigned canvas_lines(struct canvas *c, unsigned row, unsigned col, enum face face, struct str text)
{
	struct str line;

	while (text.n > 0) {
		unsigned indent = 0;

		if (!str_cut(text, '\n', &line, &text)) {
			line = text;
			text.n = 0;
		}
		while (indent < line.n && line.p[indent] == ' ')
			indent++;
		line = str_skip(line, indent);
		row = line.n > 0 ? canvas_paragraph(c, row, col + indent, face, line) : row + 1;
	}
	return row;
}

/* --- names -------------------------------------------------------------------------- */

/* Without Unicode, characters other than ASCII are written as \u{...}. */
static void spell_ascii(struct out *o, struct str safe)
{
	uint32_t code;
	size_t n;

	for (; utf8_decode(safe, &code, &n); safe = str_skip(safe, n)) {
		if (code < 0x80)
			out_char(o, (char)code);
		else
			out_printf(o, "\\u{%x}", code);
	}
}

/* Skips combining characters whose base character has been cut off. */
static struct str without_combining(struct str text)
{
	uint32_t code;
	size_t n;

	while (utf8_decode(text, &code, &n) && wcwidth((wchar_t)code) == 0)
		text = str_skip(text, n);
	return text;
}

unsigned canvas_end_of(struct canvas *c, unsigned row, unsigned col, enum face face, unsigned width,
		       struct str text)
{
	if (width == 0)
		return col;
	if (text_width(text) > width) {
		col = canvas_text(c, row, col, face, str_from(c->glyphs->ellipsis));
		text = without_combining(text_end(text, width - 1));
	}
	return canvas_text(c, row, col, face, text);
}

unsigned canvas_name(struct canvas *c, unsigned row, unsigned col, enum face face, unsigned width,
		     struct str hostile)
{
	struct out *safe = out_to_memory(), *spelt = out_to_memory();
	struct str shown;

	escape_terminal(safe, hostile);
	shown = out_memory(safe);
	if (!c->glyphs->unicode) {
		spell_ascii(spelt, shown);
		shown = out_memory(spelt);
	}
	col = canvas_end_of(c, row, col, face, width, shown);
	out_free(safe);
	out_free(spelt);
	return col;
}

/* --- rows --------------------------------------------------------------------------- */

void canvas_fill(struct canvas *c, unsigned row, unsigned col, unsigned n, enum face face,
		 uint32_t code)
{
	for (unsigned i = 0; i < n && col + i < c->cols && row < c->rows; i++)
		put_cell(c, row, col + i, face, code);
}

void canvas_select(struct canvas *c, unsigned row)
{
	for (unsigned col = 0; col < c->cols && row < c->rows; col++)
		cell_at(c, row, col)->selected = true;
}

void canvas_copy(struct canvas *c, const struct canvas *from, unsigned first)
{
	for (unsigned row = 0; row < c->rows && first + row < from->rows; row++) {
		for (unsigned col = 0; col < c->cols && col < from->cols; col++)
			*cell_at(c, row, col) = *cell_at(from, first + row, col);
	}
}

static unsigned used_of_row(const struct canvas *c, unsigned row)
{
	unsigned n = c->cols;

	while (n > 0 && cell_at(c, row, n - 1)->code[0] == ' ')
		n--;
	return n;
}

/* What begins a face; NULL: nothing.  The colours are those of the browser. */
static const char *face_sgr(uint8_t face)
{
	static const char *const sgr[N_FACES] = {
		[FACE_TITLE] = "7",
		[FACE_HEADER] = "4",
		[FACE_STRONG] = "1",
		[FACE_DIM] = "38;5;245",
		[FACE_KEY] = "1",
		[FACE_BEFORE] = "38;5;75",
		[FACE_AFTER] = "38;5;208",
		[FACE_BOTH] = "38;5;250",
		[FACE_WORSE] = "1;38;5;208",
		[FACE_BETTER] = "1;38;5;75",
		[FACE_NOTICE] = "38;5;179",
		[FACE_PEAK] = NULL,
		[FACE_WARNING] = "1;38;5;179",
		[FACE_ERROR] = "38;5;203",
		[FACE_HEAT] = "38;5;60",
		[FACE_HEAT + 1] = "38;5;67",
		[FACE_HEAT + 2] = "38;5;73",
		[FACE_HEAT + 3] = "38;5;114",
		[FACE_HEAT + 4] = "38;5;185",
		[FACE_HEAT + 5] = "1;38;5;226",
		[FACE_LESS] = "38;5;67",
		[FACE_LESS + 1] = "38;5;75",
		[FACE_LESS + 2] = "1;38;5;81",
		[FACE_MORE] = "38;5;137",
		[FACE_MORE + 1] = "38;5;172",
		[FACE_MORE + 2] = "1;38;5;208",
	};

	return face < N_FACES ? sgr[face] : NULL;
}

static void begin_face(struct out *o, uint8_t face)
{
	if (face_sgr(face) != NULL)
		out_printf(o, "\033[%sm", face_sgr(face));
}

static void end_face(struct out *o, uint8_t face)
{
	if (face_sgr(face) != NULL)
		out_text(o, "\033[0m");
}

/* Prints rows; blanks keep the face before them. */
static void print_rows(const struct canvas *c, struct out *o, bool colored)
{
	for (unsigned row = 0; row < c->rows; row++) {
		unsigned used = used_of_row(c, row);
		uint8_t face = FACE_PLAIN;

		for (unsigned col = 0; col < used; col++) {
			const struct cell *at = cell_at(c, row, col);

			if (colored && at->face != face && at->code[0] != ' ') {
				end_face(o, face);
				begin_face(o, at->face);
				face = at->face;
			}
			for (unsigned i = 0; i < CELL_CODES && at->code[i] != 0; i++)
				out_code_point(o, at->code[i]);
		}
		if (colored)
			end_face(o, face);
		out_char(o, '\n');
	}
}

void canvas_dump(const struct canvas *c, struct out *o)
{
	print_rows(c, o, false);
}

void canvas_print(const struct canvas *c, struct out *o)
{
	print_rows(c, o, true);
}
