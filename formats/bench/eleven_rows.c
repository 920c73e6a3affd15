/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/bench/eleven_rows.h"

#include <stdlib.h>

bool eleven_rows_add(struct eleven_rows *r, double end, uint64_t count, struct str where)
{
	if (r->n == ELEVEN)
		return false;
	r->row[r->n++] = (struct eleven_row){ end, count, where };
	return true;
}

static int by_end(const void *a, const void *b)
{
	const struct eleven_row *x = a, *y = b;

	return (x->end > y->end) - (x->end < y->end);
}

bool eleven_rows_count(const struct eleven_rows *r, struct input *in, struct diag *diag,
		       uint64_t *ret)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < r->n; i++) {
		if (__builtin_add_overflow(sum, r->row[i].count, &sum))
			return format_fail(in, diag, DIAG_COUNT_OVERFLOW, r->row[i].where,
					   "the sum passes 2^64-1 here");
	}
	*ret = sum;
	return true;
}

/* Merges rows with the same end, and the first row with the next one. */
static bool eleven_rows_push_rows(const struct eleven_row *row, struct builder *to)
{
	double low = row[0].end;
	uint64_t count = 0;

	for (size_t i = 0; i < ELEVEN; i++) {
		count += row[i].count;
		if (row[i].end == low || (i + 1 < ELEVEN && row[i + 1].end == row[i].end))
			continue;
		if (!build_range(to, low, row[i].end, count, row[i].where))
			return false;
		low = row[i].end;
		count = 0;
	}
	return true;
}

bool eleven_rows_push(struct eleven_rows *r, struct input *in, struct builder *to, struct str where,
		      struct diag *diag)
{
	uint64_t count;

	qsort(r->row, r->n, sizeof(r->row[0]), by_end);
	if (!eleven_rows_count(r, in, diag, &count))
		return false;
	if (count > 0 && r->n > 1 && r->n < ELEVEN)
		return format_fail(in, diag, DIAG_BUCKET_BOUNDS, r->row[0].where,
				   "%zu rows, where a report has %d", r->n, ELEVEN);
	if (count > 0 && r->row[0].end == r->row[r->n - 1].end)
		return true;
	return build_histogram(to, where) && (count == 0 || eleven_rows_push_rows(r->row, to));
}
