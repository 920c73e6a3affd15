/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A table of counts that is printed by rows and wanted by columns, as those of the real
 * time tools: a row for each latency, a column for each processor or thread.
 *
 * Nearly all counts are zero or small, so a column is kept as bytes: for each count, how many
 * rows it stands after the one before, and the count, seven bits to a byte.  Zeros are left
 * out but in the first column, which so tells of every row.
 *
 *	count_table_start(&table, n_columns);
 *	while (...)
 *		if (count_table_read(&table, &lines, &cursor) != COUNT_READ)
 *			return false;
 *	w = count_table_column(&table, i);
 *	while (count_walk_next(&w))
 *		... w.row, w.count ...
 */
#ifndef FORMATS_COUNT_TABLE_H
#define FORMATS_COUNT_TABLE_H

#include <stdint.h>

#include "base/attr.h"
#include "formats/lines.h"

struct arena;
struct count_column;
struct count_piece;

/* All zero at first. */
struct count_table {
	size_t n_rows, n_columns;

	/* Its own. */
	struct count_column *column;
	size_t cap;
	struct arena *pieces;
};

/* Without rows; keeps memory for the next table. */
void count_table_start(struct count_table *t, size_t n_columns);
void count_table_release(struct count_table *t);

/* Takes a count for each column from *c, which is left after them; as lines_next_count(),
 * COUNT_MISSING where there are too few. */
MUST_CHECK enum line_count count_table_read(struct count_table *t, const struct lines *l,
					    struct cursor *c);

/* Down a column. */
struct count_walk {
	size_t row;
	uint64_t count;

	/* Its own. */
	const struct count_piece *piece;
	const unsigned char *at, *end;
};

struct count_walk count_table_column(const struct count_table *t, size_t column);
/* The next row that is reported; false after the last. */
MUST_CHECK bool count_walk_next(struct count_walk *w);

#endif
