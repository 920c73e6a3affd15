/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A grid of styled cells: all that a view can draw on, all that a test reads.
 *
 * Rows and columns count from 0.  Whatever lies outside is cut off, so a view never
 * asks how large the screen is before it draws.  No cell ever holds a code point that
 * a terminal would obey.
 */
#ifndef TUI_CANVAS_H
#define TUI_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/str.h"

struct out;

/* What a cell means; the terminal knows how that looks. */
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
	FACE_HEAT,		   /* and the next N_HEAT - 1: few calls to many */
	FACE_LESS = FACE_HEAT + 6, /* and the next N_DIFFERENCE - 1: fewer than before */
	FACE_MORE = FACE_LESS + 3,
};
enum { N_HEAT = 6, N_DIFFERENCE = 3, N_FACES = FACE_MORE + N_DIFFERENCE };

enum { CELL_CODES = 3 }; /* a character and what combines with it */

/* One column of one row: a character with its combining ones, and its face. */
struct cell {
	uint32_t code[CELL_CODES]; /* code[0] 0: the right half of a wide character */
	uint8_t face;
	bool selected; /* under the cursor */
};

/* The characters that drawings are made of. */
struct glyphs {
	bool unicode;
	uint32_t rising[9]; /* nothing to full, by eighths */
	uint32_t only_before, both, only_after;
	uint32_t heat[N_HEAT + 1]; /* from nothing */
	uint32_t less[N_DIFFERENCE], more[N_DIFFERENCE];
	uint32_t horizontal, vertical, corner, tick, side_tick, band;
	uint32_t left_end, right_end; /* of a peak's extent */
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

/* All blank.  Its cells are the caller's to free with canvas_release(). */
void canvas_init(struct canvas *c, unsigned rows, unsigned cols, const struct glyphs *glyphs);
void canvas_release(struct canvas *c);
void canvas_clear(struct canvas *c);
/* A rectangle of it, cut to what there is; borrows its cells. */
struct canvas canvas_part(const struct canvas *c, unsigned row, unsigned col, unsigned rows,
			  unsigned cols);

/* Each returns the column after the last one written. */
unsigned canvas_code(struct canvas *c, unsigned row, unsigned col, enum face face, uint32_t code);
unsigned canvas_text(struct canvas *c, unsigned row, unsigned col, enum face face, struct str text);
unsigned canvas_printf(struct canvas *c, unsigned row, unsigned col, enum face face,
		       const char *fmt, ...) PRINTF_LIKE(5, 6);
/* Ends before column `end`. */
unsigned canvas_right(struct canvas *c, unsigned row, unsigned end, enum face face,
		      struct str text);
/* A name out of a file: escaped, and shortened to `width` so that its end stays. */
unsigned canvas_name(struct canvas *c, unsigned row, unsigned col, enum face face, unsigned width,
		     struct str hostile);
/* Wraps at blanks, and between columns `col` and the right edge; returns the row after. */
unsigned canvas_paragraph(struct canvas *c, unsigned row, unsigned col, enum face face,
			  struct str text);
/* The same for each line of a text; lines keep their indent when they are wrapped. */
unsigned canvas_lines(struct canvas *c, unsigned row, unsigned col, enum face face,
		      struct str text);
void canvas_fill(struct canvas *c, unsigned row, unsigned col, unsigned n, enum face face,
		 uint32_t code);
void canvas_select(struct canvas *c, unsigned row);
/* Shows what `from` holds from its row `first` on. */
void canvas_copy(struct canvas *c, const struct canvas *from, unsigned first);

size_t text_width(struct str text); /* columns */
/* What of valid UTF-8 is left when it is cut at its front to be no wider. */
struct str text_end(struct str text, size_t width);

/* Rows, blanks at their ends cut off. */
void canvas_dump(const struct canvas *c, struct out *o);

#endif
