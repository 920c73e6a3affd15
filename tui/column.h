/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The columns that a list of operations can show and be sorted by. */
#ifndef TUI_COLUMN_H
#define TUI_COLUMN_H

#include "analyze/distance.h"
#include "tui/study.h"

struct out;

/* The first columns.  All distances follow: METRIC_x is column COLUMN_METRICS + METRIC_x. */
enum {
	COLUMN_RANK,
	COLUMN_NAME,
	COLUMN_LAYER,
	COLUMN_VERDICT,
	COLUMN_SCORE,
	COLUMN_CHANGE,
	COLUMN_SHARE,
	COLUMN_CALLS_BEFORE,
	COLUMN_CALLS_AFTER,
	COLUMN_TOTAL_BEFORE,
	COLUMN_TOTAL_AFTER,
	COLUMN_SELF_BEFORE,
	COLUMN_SELF_AFTER,
	COLUMN_MEAN_BEFORE,
	COLUMN_MEAN_AFTER,
	COLUMN_METRICS,
	N_COLUMNS = COLUMN_METRICS + N_METRICS,
};

/* The name of a column in filters and on the command line. */
const char *column_name(size_t column);
/* The title above a column. */
const char *column_title(size_t column);
/* Whether a study has this column; one run has no score, for instance. */
bool column_applies(const struct study *s, size_t column);

/* Compares two items for sorting: negative if `a` is listed first. */
int column_compare(const struct study *s, size_t column, const struct item *a,
		   const struct item *b);
/* Prints the text of a cell. */
void column_print(struct out *o, const struct study *s, size_t column, const struct item *i);
double column_value(const struct study *s, size_t column, const struct item *i); /* NAN: none */

#endif
