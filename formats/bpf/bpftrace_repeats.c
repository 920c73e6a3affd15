/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Keys that occur twice in one snapshot of a map: bpftrace distinguishes keys by their bytes but
 * prints less, such as the text before a NUL byte, or the name of the function that contains an
 * address.  Keys that are printed the same are one operation.
 */
#include <stdlib.h>

#include "base/xalloc.h"
#include "formats/bpf/bpftrace_entries.h"
#include "profile/builder/builder.h"

static const struct entry *next_of(const struct maps *m, const struct entry *e)
{
	return e->again > 0 ? &m->entry[e->again] : NULL;
}

static int by_low(const void *a, const void *b)
{
	const struct map_row *x = a, *y = b;

	return (x->low > y->low) - (x->low < y->low);
}

/* Merges rows with equal edges, which are adjacent. */
static bool add_up(struct map_row *row, size_t *n, struct builder *to)
{
	size_t kept = 0;

	for (size_t i = 0; i < *n; i++) {
		struct map_row *last = kept > 0 ? &row[kept - 1] : NULL;

		if (last == NULL || last->low != row[i].low || last->high != row[i].high)
			row[kept++] = row[i];
		else if (__builtin_add_overflow(last->count, row[i].count, &last->count))
			return build_fail(to, DIAG_COUNT_OVERFLOW, row[i].where,
					  "the calls of one bucket");
	}
	*n = kept;
	return true;
}

bool maps_rows(const struct maps *m, const struct entry *first, struct builder *to,
	       struct map_rows *ret)
{
	struct map_row *row;
	size_t n = 0;

	*ret = (struct map_rows){ .n = first->n_rows };
	if (first->n_rows > 0)
		ret->row = &m->row[first->first_row];
	if (first->again == 0)
		return true;
	for (const struct entry *e = first; e != NULL; e = next_of(m, e))
		n += e->n_rows;
	row = xcalloc(n + 1, sizeof(*row));
	n = 0;
	for (const struct entry *e = first; e != NULL; e = next_of(m, e)) {
		for (size_t i = 0; i < e->n_rows; i++)
			row[n++] = m->row[e->first_row + i];
	}
	qsort(row, n, sizeof(*row), by_low);
	*ret = (struct map_rows){ .row = row, .n = n, .made = row };
	if (add_up(row, &ret->n, to))
		return true;
	free(row);
	return false;
}

bool maps_numbers(const struct maps *m, const struct entry *first, struct builder *to,
		  struct decimal *ret_total, uint64_t *ret_count)
{
	bool counts = entry_key(m, first)->kind == ENTRY_STATS;
	struct decimal total = { 0 };
	uint64_t count = 0;

	for (const struct entry *e = first; e != NULL; e = next_of(m, e)) {
		if (!decimal_add(total, e->total, &total))
			return build_fail(to, DIAG_TOTAL_OVERFLOW, entry_where(e),
					  "with those of the same name");
		if (counts && __builtin_add_overflow(count, e->count, &count))
			return build_fail(to, DIAG_COUNT_OVERFLOW, entry_where(e),
					  "with those of the same name");
	}
	*ret_total = total;
	*ret_count = count;
	return true;
}
