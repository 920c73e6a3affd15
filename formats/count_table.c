/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/count_table.h"

#include <stdlib.h>

#include "base/xalloc.h"

void count_table_start(struct count_table *t, size_t n_columns)
{
	enum { MOST_COLUMNS = 1024, BLOCK_BITS = 6, APART = 8 };
	bool few = n_columns <= MOST_COLUMNS;

	t->n_rows = 0;
	t->n_columns = n_columns;
	t->block_bits = few ? BLOCK_BITS : 0;
	/* With a cache line between, columns are not all in the same set of a cache. */
	t->stride = few ? (1 << BLOCK_BITS) + APART : 1;
}

void count_table_release(struct count_table *t)
{
	free(t->cell);
}

enum line_count count_table_read(struct count_table *t, const struct lines *l, struct cursor *c)
{
	size_t blocks = (t->n_rows >> t->block_bits) + 1;
	uint64_t *cell;

	t->cell = xgrow(t->cell, &t->cap, blocks * t->n_columns * t->stride, sizeof(*t->cell));
	cell = count_table_at(t, t->n_rows, 0);
	for (size_t i = 0, n = t->n_columns, apart = t->stride; i < n; i++, cell += apart) {
		enum line_count what = lines_next_count(l, c, cell);

		if (what != COUNT_READ)
			return what;
	}
	t->n_rows++;
	return COUNT_READ;
}
