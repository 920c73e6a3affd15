/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of a table whose columns are known, for the csv format and for formats that are tables. */
#ifndef FORMATS_TABLE_CSV_ROWS_H
#define FORMATS_TABLE_CSV_ROWS_H

#include "base/decimal.h"
#include "formats/table/csv_columns.h"

/* What a row means in a table where not every row is a latency. */
enum row_use {
	ROW_LATENCY,
	ROW_OTHER,	  /* known not to be a latency */
	ROW_INCONCLUSIVE, /* perhaps not a latency: left out with a note */
};

/* Decides by one column which rows count as calls. */
struct row_filter {
	enum role role; /* the column that decides; in a table without it all rows are latencies */
	enum row_use (*use)(struct str field);
	const char *inconclusive; /* what the left-out rows are, for the note */
};

/* A table whose columns are known, before its first row; borrows all that it points to. */
struct rows {
	struct input *in;
	const struct read_options *options;
	struct builder *to;
	struct diag *diag;
	struct table table; /* its next record is a row */
	struct columns columns;
	struct str layer; /* of all rows, where no column has the layer */
	struct str name;  /* of rows without an operation; empty: every row has one */
	const struct row_filter *filter;	/* NULL: each row is a latency */
	bool (*is_variable)(struct str column); /* which further columns are variables; NULL: all */
	double granularity;			/* every latency is a multiple of it; 0: unknown */
};

/* Reads the next row.  TABLE_RECORD: it has as many fields as the header; TABLE_BAD: an error was
 * reported. */
MUST_CHECK enum table_next rows_next(struct rows *r);

/* Returns the field of the current record with this role, which the table must have. */
static inline struct str rows_field(const struct rows *r, enum role role)
{
	return r->table.field[r->columns.at[role]];
}

/* Returns the field with this role; empty when there is no such column. */
static inline struct str rows_optional(const struct rows *r, enum role role)
{
	return r->columns.has[role] ? rows_field(r, role) : STR("");
}

/* Returns the field as it stands in the file, for messages. */
struct str rows_where(const struct rows *r, enum role role);
/* Reports an error at a field of the current row, or of the header, and returns false. */
bool rows_fail(struct rows *r, enum role role, enum diag_code code, const char *fmt, ...)
	PRINTF_LIKE(4, 5);

/* Parses the field with this role as a number; false when an error was reported. */
MUST_CHECK bool rows_decimal(struct rows *r, enum role role, struct decimal *ret);
MUST_CHECK static inline bool rows_count(struct rows *r, enum role role, uint64_t *ret)
{
	return table_u64(&r->table, r->columns.at[role], ret);
}

MUST_CHECK bool rows_f64(struct rows *r, enum role role, double *ret); /* finite */

/* Returns how many units of a time column make a second; a column without a unit is in seconds. */
MUST_CHECK bool rows_time_rate(struct rows *r, enum role role, double *ret);

/* Reads low, high and count of all rows; false when an error was reported. */
MUST_CHECK bool rows_read_buckets(struct rows *r);
/* Reads the rows after the current record as individual samples. */
MUST_CHECK bool rows_read_samples(struct rows *r);
MUST_CHECK bool table_write_profile(const struct profile *p, struct out *o, struct diag *diag);

#endif
