/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/table/count_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/xalloc.h"

enum {
	MAX_BYTES = 10,		     /* a varint of 64 bits */
	MAX_A_COUNT = 2 * MAX_BYTES, /* with the number of rows before it */
	FIRST_PIECE = 48,
	LARGEST_PIECE = 1024,
};

struct count_piece {
	struct count_piece *next;
	size_t n;
	unsigned char byte[];
};

struct count_column {
	struct count_piece *first, *last;
	unsigned char *at, *end; /* free space in the last piece */
	size_t row;		 /* the row after the last one with a stored count */
};

void count_table_start(struct count_table *t, size_t n_columns)
{
	if (t->pieces == NULL)
		t->pieces = arena_new();
	arena_clear(t->pieces);
	t->column = xgrow(t->column, &t->cap, n_columns, sizeof(*t->column));
	if (n_columns > 0)
		memset(t->column, 0, n_columns * sizeof(*t->column));
	t->n_rows = 0;
	t->n_columns = n_columns;
}

void count_table_release(struct count_table *t)
{
	free(t->column);
	arena_free(t->pieces);
}

/* --- writing ------------------------------------------------------------------------ */

static void end_piece(struct count_column *column)
{
	if (column->last != NULL)
		column->last->n = (size_t)(column->at - column->last->byte);
}

/* Adds a piece, twice as large as the previous one up to LARGEST_PIECE. */
static void add_piece(struct count_table *t, struct count_column *column)
{
	struct count_piece *piece;
	size_t size = FIRST_PIECE;

	end_piece(column);
	if (column->last != NULL)
		size = 2 * (size_t)(column->end - column->last->byte);
	if (size > LARGEST_PIECE)
		size = LARGEST_PIECE;
	piece = arena_alloc(t->pieces, 1, sizeof(*piece) + size);
	if (column->last != NULL)
		column->last->next = piece;
	else
		column->first = piece;
	column->last = piece;
	column->at = piece->byte;
	column->end = piece->byte + size;
}

static unsigned char *put_varint(unsigned char *at, uint64_t v)
{
	for (; v > 0x7f; v >>= 7)
		*at++ = (unsigned char)(v | 0x80);
	*at++ = (unsigned char)v;
	return at;
}

static void add_count(struct count_table *t, size_t i, uint64_t count)
{
	struct count_column *column = &t->column[i];

	if (column->end - column->at < MAX_A_COUNT)
		add_piece(t, column);
	column->at = put_varint(put_varint(column->at, t->n_rows - column->row), count);
	column->row = t->n_rows + 1;
}

enum line_count count_table_read(struct count_table *t, const struct lines *l, struct cursor *c)
{
	for (size_t i = 0; i < t->n_columns; i++) {
		uint64_t count;
		enum line_count what = lines_next_count(l, c, &count);

		if (what != COUNT_READ)
			return what;
		if (count > 0 || i == 0)
			add_count(t, i, count);
	}
	t->n_rows++;
	return COUNT_READ;
}

/* --- reading ------------------------------------------------------------------------ */

struct count_walk count_table_column(const struct count_table *t, size_t column)
{
	struct count_column *from = &t->column[column];

	end_piece(from);
	return (struct count_walk){ .row = SIZE_MAX, .piece = from->first };
}

static const unsigned char *take_varint(const unsigned char *at, uint64_t *ret)
{
	uint64_t v = *at & 0x7f;

	for (unsigned shift = 7; *at++ > 0x7f; shift += 7)
		v |= (uint64_t)(*at & 0x7f) << shift;
	*ret = v;
	return at;
}

bool count_walk_next(struct count_walk *w)
{
	uint64_t rows;

	if (w->at == w->end) {
		if (w->piece == NULL)
			return false;
		w->at = w->piece->byte;
		w->end = w->at + w->piece->n;
		w->piece = w->piece->next;
	}
	w->at = take_varint(take_varint(w->at, &rows), &w->count);
	w->row += rows + 1;
	return true;
}
