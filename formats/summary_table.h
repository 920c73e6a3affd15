/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables of summary statistics: a head line, and below it a row for each operation with its
 * calls and times.  What the columns are is said by the format:
 *
 *	static const struct summary_table table = {
 *		.column = SUMMARY(SUMMARY_NAME, SUMMARY_COUNT, SUMMARY_MEAN, SUMMARY_MAX),
 *		.unit = UNIT_US, .factor = 1000,
 *		.expected = "expected an operation and its count",
 *		.expected_count = "expected a count", .expected_time = "expected milliseconds",
 *	};
 *
 * Where a table begins and ends is left to the format, which hands over the rows.
 */
#ifndef FORMATS_SUMMARY_TABLE_H
#define FORMATS_SUMMARY_TABLE_H

#include "formats/lines.h"
#include "formats/statistics.h"

/* What a column of a table of summaries means. */
enum summary_column {
	SUMMARY_END, /* no more columns */
	SUMMARY_NAME,
	SUMMARY_COUNT,
	SUMMARY_TOTAL,
	SUMMARY_MEAN, /* times calls it is the total, rounded */
	SUMMARY_MIN,
	SUMMARY_MAX,
	SUMMARY_TIME,  /* any other */
	SUMMARY_SHARE, /* a word that ends in % */
	SUMMARY_INDEX, /* a whole number that says nothing */
	SUMMARY_WORD,  /* anything */
};

#define SUMMARY(...) ((const enum summary_column[]){ __VA_ARGS__, SUMMARY_END })

/* A table of summaries: its columns, and how its rows are recognised. */
struct summary_table {
	const enum summary_column *column; /* in their order: SUMMARY() */
	bool blanks;	      /* names may have some: other columns are counted from both ends */
	bool unique;	      /* an operation has one row */
	bool measured;	      /* a time is a number and its unit, two words; unit is UNIT_NS */
	enum unit unit;	      /* of what is pushed */
	uint64_t factor;      /* of these units in a printed one */
	struct str suffix;    /* of each time; of no bytes: none */
	const char *unnamed;  /* the name of rows that begin with a digit; NULL: they have one */
	const char *counted;  /* "calls", for messages */
	const char *expected; /* a row; a name that may have blanks, a count, a time */
	const char *expected_name, *expected_count, *expected_time;
};

/* Reads a row, a part of the current line; the total of one that is rounded is still the mean.
 * False when an error was reported. */
MUST_CHECK bool summary_split(const struct summary_table *t, const struct lines *l, struct str row,
			      struct statistics *ret);
/* ... and pushes it as an operation to l->to. */
MUST_CHECK bool summary_push(const struct summary_table *t, const struct lines *l, struct str layer,
			     const struct statistics *row);

#endif
