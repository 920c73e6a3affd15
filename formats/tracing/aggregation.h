/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables of labels, bars and counts, as DTrace and SystemTap print aggregations:
 *
 *	         value  ------------- Distribution ------------- count
 *	            32 |                                         0
 *	            64 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 7
 *	           128 |                                         0
 *
 * Both print a row of zeroes on either side of the data, so that a label and the
 * next one are the edges of a bucket.  Which function made the table has to be
 * found out from its labels.
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
	bool gap; /* rows of zeroes were left out before it */
	int64_t label;
	uint64_t count;
	struct str where;
};

/* The rows of one table; label_table_release() frees them. */
struct label_table {
	struct label_row *row;
	size_t n, cap;
	bool gap;      /* before the next row */
	bool negative; /* a count is below zero */
};

/* Frees the rows. */
void label_table_release(struct label_table *t);

/* Takes a row into the table; false when an error was reported.  `cut`: the line
 * ends the file, without a newline. */
MUST_CHECK bool label_table_add(struct label_table *t, struct input *in, struct str line, bool cut,
				struct diag *diag);

/* Whether a line of a table is a row, whole or damaged. */
bool is_label_row(struct str line);

/* Which bucket a label names: the aggregating functions of DTrace and SystemTap. */
enum labels {
	LABELS_POWERS,	      /* v > 0: [v, 2v); 0: {0}; v < 0: (2v, v] */
	LABELS_LINEAR,	      /* [v, v + step) */
	LABELS_CHANGE_POINTS, /* v >= 0: [v, next); v < 0: (the one before, v] */
};

/* Whether rows are missing after the last one.  Where a print `pads`, it ends with a
 * row of zeroes or an open one; else powers of two alone are known to. */
bool label_table_cut(const struct label_table *t, bool pads);

/* What the labels of all rows have in common. */
enum labels label_table_kind(const struct label_table *t);
/* The distance of neighbours; 0 where there are none. */
uint64_t label_table_step(const struct label_table *t);

/* What tells one of the two from the other. */
struct label_style {
	bool (*is_header)(struct str line);
	bool pads;	     /* linear tables, too, end with a row of zeroes or an open one */
	bool elides;	     /* a row "~" stands for rows of zeroes */
	const char *name[3]; /* by kind: of the function that made a table */
	const char *no_row;  /* what a head without a row is to be called */
};

/* How likely the file holds tables of this style. */
enum probe aggregation_probe(const struct label_style *style, struct str head, struct clue *clue);
/* Reads tables of the style that is the format's spec; false when an error was reported. */
MUST_CHECK bool aggregation_read(const struct read_task *task);

/* Pushes all rows as a histogram of the current operation. */
MUST_CHECK bool label_table_push(const struct label_table *t, struct input *in, struct str where,
				 struct builder *to, struct diag *diag);

#endif
