/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Delimited tables: records of fields, and where each stands in the file.
 *
 * Records without a quote are split in place; those with one go through libcsv, which only this
 * file uses.  Either way fields come without blanks around them, a quote within quotes is doubled
 * (RFC 4180), a record ends with a newline, with or without a CR, and blank records are skipped.
 */
#ifndef FORMATS_TABLE_TABLE_H
#define FORMATS_TABLE_TABLE_H

#include <limits.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/scan.h"

struct csv_parser;
struct diag;

/* A table while it is read record by record; table_release() frees what it holds. */
struct table {
	struct str *field; /* of the current record; valid until the next one */
	size_t n_fields;
	struct str record; /* its bytes in the input, without the newline */
	bool cut_short;	   /* no newline after it */
	bool comments;	   /* skip lines that begin with # */
	bool all_quoted;   /* pass every record through libcsv: for tests */

	/* Private. */
	struct input *in;
	struct diag *diag;
	char separator;
	bool ends_field[UCHAR_MAX + 1]; /* by byte: it ends a field, or is a quote */
	size_t at;			/* offset of the next record */
	size_t cap_fields;
	bool decoded; /* the fields are in `text`, not in the input */
	char *text;
	size_t n_text, cap_text;
	struct csv_parser *parser;
};

/* Starts at the first record of the input. */
void table_start(struct table *t, struct input *in, char separator, struct diag *diag);
void table_release(struct table *t); /* may be called twice */
/* Continues with another part of the file, which begins with a record. */
void table_continue(struct table *t, struct input *in, struct diag *diag);

/* What table_next() found; TABLE_BAD: an error was reported. */
enum table_next { TABLE_END, TABLE_RECORD, TABLE_BAD };

MUST_CHECK enum table_next table_next(struct table *t);
/* Makes the next table_next() return the current record again. */
void table_again(struct table *t);

/* Guesses field i of the next record from the next line; wrong only if the record has quotes. */
struct str table_peek(const struct table *t, size_t i);

/* Guesses field i of the next record: takes it from the next line, as if that had no quotes. */
struct str table_where(const struct table *t, size_t i);

/* Reports that field i is not the number it should be, and returns false. */
bool table_bad_number(struct table *t, size_t i, const char *expected);
bool table_bad_u64(struct table *t, size_t i, enum number what);

/* Parses field i as a whole number; false when an error was reported. */
MUST_CHECK static inline bool table_u64(struct table *t, size_t i, uint64_t *ret)
{
	enum number what = number_u64(t->field[i], ret);

	return what == NUMBER_OK || table_bad_u64(t, i, what);
}

#endif
