/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A table of counts that is printed by rows and wanted by columns, as those of the real
 * time tools: a row for each latency, a column for each processor or thread.
 *
 * A row scatters its counts and a column collects them again.  Tables are larger than
 * caches, so cells lie in blocks of some rows, within which a column's are together.  Where
 * columns are very many a block is a row: else one row would take the memory of 64.
 */
#ifndef FORMATS_COUNT_TABLE_H
#define FORMATS_COUNT_TABLE_H

#include <stdint.h>

#include "base/attr.h"
#include "formats/lines.h"

struct count_table {
	size_t n_rows, n_columns;
	unsigned block_bits; /* a block has 2^block_bits rows */
	size_t stride;	     /* from a column to the next within a block */
	uint64_t *cell;
	size_t cap;
};

/* Without rows; keeps its memory for the next table. */
void count_table_start(struct count_table *t, size_t n_columns);
void count_table_release(struct count_table *t);

static inline uint64_t *count_table_at(const struct count_table *t, size_t row, size_t column)
{
	size_t block = row >> t->block_bits, within = row - (block << t->block_bits);

	return &t->cell[(block * t->n_columns + column) * t->stride + within];
}

/* Takes a count for each column from *c, which is left behind them; as lines_next_count(),
 * COUNT_MISSING where there are too few. */
MUST_CHECK enum line_count count_table_read(struct count_table *t, const struct lines *l,
					    struct cursor *c);

#endif
