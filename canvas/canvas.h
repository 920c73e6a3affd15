/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A grid of styled cells: views draw on it, and tests read it.
 *
 * Rows and columns count from 0.  Drawing outside is clipped, so that views need not check the
 * size of the screen.  No cell ever holds a control character.
 */
#ifndef CANVAS_CANVAS_H
#define CANVAS_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/str.h"

struct out;

/* The meaning of a cell; terminal.c maps it to colours and attributes. */
enum face {
	FACE_PLAIN,
	FACE_TITLE,
	FACE_HEADER,
	FACE_STRONG,
	FACE_DIM,
	FACE_KEY,
	FACE_BEFORE,
	FACE_AFTER,
	FACE_BOTH,
	FACE_WORSE,
	FACE_BETTER,
	FACE_NOTICE,
	FACE_PEAK,
	FACE_WARNING,
	FACE_ERROR,
	FACE_HEAT,		   /* first of N_HEAT: few calls to many */
	FACE_LESS = FACE_HEAT + 6, /* first of N_DIFFERENCE: fewer than before */
	FACE_MORE = FACE_LESS + 3,
};
enum { N_HEAT = 6, N_DIFFERENCE = 3, N_FACES = FACE_MORE + N_DIFFERENCE };

enum { CELL_CODES = 3 }; /* a character and up to two combining ones */

/* One cell: a character with its combining characters, and its face. */
struct cell {
	uint32_t code[CELL_CODES]; /* code[0] 0: the right half of a wide character */
	uint8_t face;
	bool selected; /* under the cursor */
};

/* The characters that drawings are made of. */
struct glyphs {
	bool unicode;
	uint32_t rising[9]; /* empty to full, in eighths */
	uint32_t only_before, both, only_after;
	uint32_t heat[N_HEAT + 1]; /* heat[0]: no calls */
	uint32_t less[N_DIFFERENCE], more[N_DIFFERENCE];
	uint32_t horizontal, vertical, corner, tick, side_tick, band;
	uint32_t left_end, right_end; /* ends of a peak's extent */
	uint32_t marked, cursor;
	const char *ellipsis, *arrow;
};
extern const struct glyphs glyphs_unicode, glyphs_ascii;

/* A screen in memory, of rows x cols cells; canvas_release() frees the cells. */
struct canvas {
	unsigned rows, cols;
	unsigned stride;
	struct cell *cell;
	const struct glyphs *glyphs;
};

/* Makes a blank canvas; the caller frees its cells with canvas_release(). */
void canvas_init(struct canvas *c, unsigned rows, unsigned cols, const struct glyphs *glyphs);
void canvas_release(struct canvas *c);
void canvas_clear(struct canvas *c);
/* Returns a rectangle of a canvas, clipped to it, that shares its cells. */
struct canvas canvas_part(const struct canvas *c, unsigned row, unsigned col, unsigned rows,
			  unsigned cols);

/* Each of these returns the column after the last one written. */
unsigned canvas_code(struct canvas *c, unsigned row, unsigned col, enum face face, uint32_t code);
unsigned canvas_text(struct canvas *c, unsigned row, unsigned col, enum face face, struct str text);
unsigned canvas_printf(struct canvas *c, unsigned row, unsigned col, enum face face,
		       const char *fmt, ...) PRINTF_LIKE(5, 6);
/* Right-aligned text that ends before column `end`. */
unsigned canvas_right(struct canvas *c, unsigned row, unsigned end, enum face face,
		      struct str text);
/* A name from a file: escaped, and shortened at its front to `width` columns. */
unsigned canvas_name(struct canvas *c, unsigned row, unsigned col, enum face face, unsigned width,
		     struct str hostile);
/* The same for text of osprof, such as a path of names, that needs no escaping. */
unsigned canvas_end_of(struct canvas *c, unsigned row, unsigned col, enum face face, unsigned width,
		       struct str text);
/* Writes text wrapped at blanks between column `col` and the right edge; returns the row after
 * it. */
unsigned canvas_paragraph(struct canvas *c, unsigned row, unsigned col, enum face face,
			  struct str text);
/* The same for each line of a text; wrapped lines keep their indent. */
unsigned canvas_lines(struct canvas *c, unsigned row, unsigned col, enum face face,
		      struct str text);
void canvas_fill(struct canvas *c, unsigned row, unsigned col, unsigned n, enum face face,
		 uint32_t code);
void canvas_select(struct canvas *c, unsigned row);
/* Whether a cell holds nothing; also outside. */
bool canvas_is_blank(const struct canvas *c, unsigned row, unsigned col);
/* Copies the rows of `from` that begin at `first`. */
void canvas_copy(struct canvas *c, const struct canvas *from, unsigned first);

size_t text_width(struct str text); /* in columns */
/* Returns the longest end of valid UTF-8 text that is at most `width` columns wide. */
struct str text_end(struct str text, size_t width);

/* Prints the rows without trailing blanks. */
void canvas_dump(const struct canvas *c, struct out *o);
/* The same in colour, by SGR sequences of 256 colours. */
void canvas_print(const struct canvas *c, struct out *o);

#endif
