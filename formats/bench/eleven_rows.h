/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The histogram of hey, which oha and ghz adopted: eleven rows, each with its upper end, which it
 * includes.  The first row has only the fastest requests; it is merged with the second, which it
 * begins.  The others divide the range from fastest to slowest into ten.
 */
#ifndef FORMATS_BENCH_ELEVEN_ROWS_H
#define FORMATS_BENCH_ELEVEN_ROWS_H

#include "formats/format.h"

enum { ELEVEN = 11 };

/*
 * The rows of one histogram as printed; ends are in the unit of the file; `where` borrows from
 * the input.
 */
struct eleven_rows {
	struct eleven_row {
		double end;
		uint64_t count;
		struct str where;
	} row[ELEVEN];
	size_t n;
};

/* Adds a row; false when there are eleven already. */
MUST_CHECK bool eleven_rows_add(struct eleven_rows *r, double end, uint64_t count,
				struct str where);
/* Returns the sum of all counts in *ret; false, after reporting an error, when it overflows. */
MUST_CHECK bool eleven_rows_count(const struct eleven_rows *r, struct input *in, struct diag *diag,
				  uint64_t *ret);
/* Pushes the histogram of the current operation, or none if all requests took the same time.
 * Sorts the rows. */
MUST_CHECK bool eleven_rows_push(struct eleven_rows *r, struct input *in, struct builder *to,
				 struct str where, struct diag *diag);

#endif
