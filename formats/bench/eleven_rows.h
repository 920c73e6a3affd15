/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The histogram that hey began and oha and ghz took over: eleven rows, each with where it
 * ends, what is equal to that included.  The first is of the fastest request alone and goes
 * with the second, whose beginning it is; the others cut what lies between fastest and
 * slowest in ten.
 */
#ifndef FORMATS_BENCH_ELEVEN_ROWS_H
#define FORMATS_BENCH_ELEVEN_ROWS_H

#include "formats/format.h"

enum { ELEVEN = 11 };

/*
 * The rows of one histogram as printed; ends are in the unit of the file, `where` is borrowed
 * from it.
 */
struct eleven_rows {
	struct eleven_row {
		double end;
		uint64_t count;
		struct str where;
	} row[ELEVEN];
	size_t n;
};

/* False where there are eleven already. */
MUST_CHECK bool eleven_rows_add(struct eleven_rows *r, double end, uint64_t count,
				struct str where);
/* All of them together. */
MUST_CHECK bool eleven_rows_count(const struct eleven_rows *r, struct input *in, struct diag *diag,
				  uint64_t *ret);
/* As the histogram of the current operation; none where all requests took the same time.
 * Sorts the rows. */
MUST_CHECK bool eleven_rows_push(struct eleven_rows *r, struct input *in, struct builder *to,
				 struct str where, struct diag *diag);

#endif
