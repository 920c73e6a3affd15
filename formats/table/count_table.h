/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A table of counts that is printed by rows and needed by columns, as the real-time tools print it:
 * a row for each latency, a column for each processor or thread.
 *
 * Nearly all counts are zero or small, so a column is a byte string: for each count, the number of
 * rows skipped since the previous count, then the count, both as varints with seven bits to a byte.
 * Zeros are omitted except in the first column, which therefore has every row.
 *
 * 	count_table_start(&table, n_columns);
 * 	while (...)
 * 		if (count_table_read(&table, &lines, &cursor) != COUNT_READ)
 * 			return false;
 * 	w = count_table_column(&table, i);
 * 	while (count_walk_next(&w))
 * 		... w.row, w.count ...
 */
#ifndef FORMATS_TABLE_COUNT_TABLE_H
#define FORMATS_TABLE_COUNT_TABLE_H

#include <stdint.h>

#include "base/attr.h"
#include "formats/lines.h"

struct arena;
struct count_column;
struct count_piece;

/* Zero it before use. */
struct count_table {
	size_t n_rows, n_columns;

	/* Private. */
	struct count_column *column;
	size_t cap;
	struct arena *pieces;
};

/* Empties the table; keeps memory of the previous one. */
void count_table_start(struct count_table *t, size_t n_columns);
void count_table_release(struct count_table *t);

/* Reads a row, a count for each column, from *c, and moves *c past it.  Returns what
 * lines_next_count() does: COUNT_MISSING when there are too few. */
MUST_CHECK enum line_count count_table_read(struct count_table *t, const struct lines *l,
					    struct cursor *c);

/* A position in a column. */
struct count_walk {
	size_t row;
	uint64_t count;

	/* Private. */
	const struct count_piece *piece;
	const unsigned char *at, *end;
};

/* Returns a walk over the counts of one column, in the order of rows. */
struct count_walk count_table_column(const struct count_table *t, size_t column);
/* Moves to the next stored count; false after the last. */
MUST_CHECK bool count_walk_next(struct count_walk *w);

#endif
