/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of a table whose columns are known: shared by the csv format and by those that are
 * tables of one kind. */
#ifndef FORMATS_CSV_ROWS_H
#define FORMATS_CSV_ROWS_H

#include "base/decimal.h"
#include "formats/csv_columns.h"

/* What a row is in a table where not each is a latency. */
enum row_use {
	ROW_LATENCY,
	ROW_OTHER,	  /* known to be none */
	ROW_INCONCLUSIVE, /* perhaps none: left out with a note */
};

/* Which rows of a table count as calls, by one of its columns. */
struct row_filter {
	enum role role; /* of the column that tells; without one all rows are latencies */
	enum row_use (*use)(struct str field);
	const char *inconclusive; /* what rows are that were left out, for the note */
};

/* A table whose columns are known, before its first row; borrows all that it points to. */
struct rows {
	struct input *in;
	const struct read_options *options;
	struct builder *to;
	struct diag *diag;
	struct table table; /* its next record is a row */
	struct columns columns;
	struct str layer;		 /* of all rows, where there is no column of layers */
	struct str name;		 /* of rows without an operation; empty: there are none */
	const struct row_filter *filter; /* NULL: each row is a latency */
	bool (*is_variable)(struct str column); /* of further columns; NULL: all are */
	double granularity; /* all latencies are whole multiples of it; 0: not known */
};

/* TABLE_RECORD: a row with as many fields as the header; TABLE_BAD: reported. */
MUST_CHECK enum table_next rows_next(struct rows *r);

/* The field of the current record that has this role; empty without one. */
static inline struct str rows_field(const struct rows *r, enum role role)
{
	return r->table.field[r->columns.at[role]];
}

/* A column's field; empty when there is no such column. */
static inline struct str rows_optional(const struct rows *r, enum role role)
{
	return r->columns.has[role] ? rows_field(r, role) : STR("");
}

/* Where it stands in the file: to blame it. */
struct str rows_where(const struct rows *r, enum role role);
/* Reports at a field of the current row, or of the header, and returns false. */
bool rows_fail(struct rows *r, enum role role, enum diag_code code, const char *fmt, ...)
	PRINTF_LIKE(4, 5);

/* The number in the column of this role; false when an error was reported. */
MUST_CHECK bool rows_decimal(struct rows *r, enum role role, struct decimal *ret);
MUST_CHECK static inline bool rows_count(struct rows *r, enum role role, uint64_t *ret)
{
	return table_u64(&r->table, r->columns.at[role], ret);
}

MUST_CHECK bool rows_f64(struct rows *r, enum role role, double *ret); /* finite */

/* Units of a column of times in a second; one without a unit is in seconds. */
MUST_CHECK bool rows_time_rate(struct rows *r, enum role role, double *ret);

/* Reads low, high and count of the row; false when an error was reported. */
MUST_CHECK bool rows_read_buckets(struct rows *r);
/* Individual samples, from the current record's end on to that of the file. */
MUST_CHECK bool rows_read_samples(struct rows *r);
MUST_CHECK bool table_write_profile(const struct profile *p, struct out *o, struct diag *diag);

#endif
