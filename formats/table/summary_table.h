/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables of summary statistics: a header, then a row for each operation with its calls and times.
 * The format describes the columns:
 *
 * 	static const struct summary_table table = {
 * 		.column = SUMMARY(SUMMARY_NAME, SUMMARY_COUNT, SUMMARY_MEAN, SUMMARY_MAX),
 * 		.unit = UNIT_US, .factor = 1000,
 * 		.expected = "expected an operation and its count",
 * 		.expected_count = "expected a count", .expected_time = "expected milliseconds",
 * 	};
 *
 * The format itself finds where a table begins and ends, and passes its rows.
 */
#ifndef FORMATS_TABLE_SUMMARY_TABLE_H
#define FORMATS_TABLE_SUMMARY_TABLE_H

#include "formats/lines.h"
#include "formats/statistics.h"

/* What a column of a summary table means. */
enum summary_column {
	SUMMARY_END, /* no more columns */
	SUMMARY_NAME,
	SUMMARY_COUNT,
	SUMMARY_TOTAL,
	SUMMARY_MEAN, /* rounded; multiplied by the calls for the total */
	SUMMARY_MIN,
	SUMMARY_MAX,
	SUMMARY_TIME,  /* any other time, ignored */
	SUMMARY_SHARE, /* a word that ends in % */
	SUMMARY_INDEX, /* a whole number, ignored */
	SUMMARY_WORD,  /* any word, ignored */
};

#define SUMMARY(...) ((const enum summary_column[]){ __VA_ARGS__, SUMMARY_END })

/* A summary table: its columns, and how its rows are read. */
struct summary_table {
	const enum summary_column *column; /* in file order: SUMMARY() */
	bool blanks; /* names may contain blanks: columns after the name are counted from the end */
	bool unique; /* a second row for an operation is an error */
	bool measured;	      /* a time is two words, a number and its unit; `unit` is UNIT_NS */
	enum unit unit;	      /* of the times that are pushed */
	uint64_t factor;      /* how many of `unit` a printed time's unit has */
	struct str suffix;    /* of each time; empty: none */
	const char *unnamed;  /* name of rows that begin with a digit; NULL: all have a name */
	const char *counted;  /* "calls", for messages */
	const char *expected; /* errors for a row, and for a name with blanks, a count, a time */
	const char *expected_name, *expected_count, *expected_time;
};

/* Parses a row, a part of the current line.  If ret->rounded, ret->total is still the mean.  False
 * when an error was reported. */
MUST_CHECK bool summary_split(const struct summary_table *t, const struct lines *l, struct str row,
			      struct statistics *ret);
/* Pushes the parsed row as an operation to l->to.  False when an error was reported. */
MUST_CHECK bool summary_push(const struct summary_table *t, const struct lines *l, struct str layer,
			     const struct statistics *row);

#endif
