/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds what each column of a table contains, by its header or the user's options. */
#ifndef FORMATS_TABLE_CSV_COLUMNS_H
#define FORMATS_TABLE_CSV_COLUMNS_H

#include "formats/format.h"
#include "formats/table/table.h"

/* What a column of a table contains. */
enum role {
	ROLE_OPERATION,
	ROLE_LAYER,
	ROLE_LATENCY,
	ROLE_LOW,
	ROLE_HIGH,
	ROLE_COUNT,
	ROLE_TOTAL,
	ROLE_STATED_COUNT,
	ROLE_UNIT,
	ROLE_START,
	ROLE_END,
	ROLE_INTERVAL,
};
enum { ROLE_N = ROLE_INTERVAL + 1 };

/* What a table's rows are, judging by its columns. */
enum table_kind {
	KIND_NONE,
	KIND_BUCKETS, /* has an operation, low, high and count */
	KIND_SAMPLES, /* has a latency, and an operation unless all rows are of the same */
};

/* The column of each role in a table. */
struct columns {
	enum table_kind kind;
	bool has[ROLE_N];
	size_t at[ROLE_N];
	enum unit unit[ROLE_N]; /* stated in the header; UNIT_UNKNOWN: none */
	size_t n;		/* number of fields in every row */
	bool headless;
	const char *why;   /* for KIND_NONE: which column is missing or ambiguous */
	struct str sought; /* the column that was asked for and is missing; empty: none */
};

/* Starts *ret, positioned after the header, with the separator that suits the header best.  The
 * caller releases *ret, also on failure.  False when an error was reported. */
MUST_CHECK bool columns_find(struct input *in, const struct read_options *options,
			     struct diag *diag, struct table *ret, struct columns *ret_columns);

#endif
