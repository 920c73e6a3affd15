/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables of labels, bars and counts, as DTrace and SystemTap print aggregations:
 *
 *	         value  ------------- Distribution ------------- count
 *	            32 |                                         0
 *	            64 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 7
 *	           128 |                                         0
 *
 * Both print a row of zeroes on either side of the data, so that a bucket's edges are its label
 * and the next one.  The labels show which function made the table.
 */
#ifndef FORMATS_TRACING_AGGREGATION_H
#define FORMATS_TRACING_AGGREGATION_H

#include <stdint.h>

#include "base/attr.h"
#include "base/scan.h"
#include "formats/format.h"

/* How a row's label is written. */
enum label_mark {
	LABEL_PLAIN,
	LABEL_BELOW,  /* "< v" */
	LABEL_WITHIN, /* "abs() < v" */
	LABEL_UP_TO,  /* "<= v" */
	LABEL_FROM,   /* ">= v" */
	LABEL_ABOVE,  /* "> v" */
};

/* One row of a table. */
struct label_row {
	enum label_mark mark;
	bool gap; /* rows of zeroes were omitted before it */
	int64_t label;
	uint64_t count;
	struct str where;
};

/* The rows of one table; label_table_release() frees them. */
struct label_table {
	struct label_row *row;
	size_t n, cap;
	bool gap;      /* rows were omitted before the next one */
	bool negative; /* a count is below zero */
};

void label_table_release(struct label_table *t);

/* Parses a row and adds it to the table; false when an error was reported.  `cut`: the line ends
 * the file without a newline. */
MUST_CHECK bool label_table_add(struct label_table *t, struct input *in, struct str line, bool cut,
				struct diag *diag);

/* Returns whether a line of a table is a row, whole or damaged. */
bool is_label_row(struct str line);

/* How a label gives a bucket's edges, which depends on the aggregating function. */
enum labels {
	LABELS_POWERS,	      /* v > 0: [v, 2v); 0: {0}; v < 0: (2v, v] */
	LABELS_LINEAR,	      /* [v, v + step) */
	LABELS_CHANGE_POINTS, /* v >= 0: [v, next); v < 0: (previous, v] */
};

/* Returns whether rows are missing after the last one.  With `pads`, every table ends with a row of
 * zeroes or an open row; without, only tables of powers of two are known to. */
bool label_table_cut(const struct label_table *t, bool pads);

/* Returns what the labels of all rows have in common. */
enum labels label_table_kind(const struct label_table *t);
/* Returns the distance between adjacent labels; 0 when none are adjacent. */
uint64_t label_table_step(const struct label_table *t);

/* The differences between DTrace and SystemTap. */
struct label_style {
	bool (*is_header)(struct str line);
	bool pads;	     /* linear tables also end with a row of zeroes or an open row */
	bool elides;	     /* a row "~" stands for rows of zeroes */
	const char *name[3]; /* by enum labels: the function that made the table */
	const char *no_row;  /* the error for a header without rows */
};

/* Returns how likely the head has tables of this style. */
enum probe aggregation_probe(const struct label_style *style, struct str head, struct clue *clue);
/* Reads tables in the style given by the format's `spec`; false when an error was reported. */
MUST_CHECK bool aggregation_read(const struct read_task *task);

/* Pushes all rows as a histogram of the current operation; false when an error was reported. */
MUST_CHECK bool label_table_push(const struct label_table *t, struct input *in, struct str where,
				 struct builder *to, struct diag *diag);

#endif
