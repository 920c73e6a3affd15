/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The columns that a list of operations can show and be sorted by. */
#ifndef TUI_COLUMN_H
#define TUI_COLUMN_H

#include "analyze/distance.h"
#include "tui/studies/study.h"

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
	COLUMN_P50_BEFORE,
	COLUMN_P50_AFTER,
	COLUMN_P99_BEFORE,
	COLUMN_P99_AFTER,
	/* How many times higher a number is after, as log2. */
	COLUMN_CALLS_CHANGE,
	COLUMN_MEAN_CHANGE,
	COLUMN_P50_CHANGE,
	COLUMN_P99_CHANGE,
	COLUMN_METRICS,
	N_COLUMNS = COLUMN_METRICS + N_METRICS,
};

/* The name of a column in filters and on the command line. */
const char *column_name(size_t column);
/* What a column holds, in words; those of one run do not say "before". */
const char *column_title(const struct study *s, size_t column);
/* Finds the column of this name or of the change of what it names ("mean" of two runs is
 * mean-change); false when the study has none. */
bool column_by_name(const struct study *s, struct str name, size_t *ret);
/* Fills ret with the columns that a study has, the most used first; returns their number. */
size_t columns_by_use(const struct study *s, size_t ret[N_COLUMNS]);
/* Whether a study has this column; one run has no score, for instance. */
bool column_applies(const struct study *s, size_t column);

/* What an item is sorted by: the smaller number is listed first, NAN last.  Columns of text have
 * numbers only for verdicts; others are sorted by column_text(). */
double column_order(const struct study *s, size_t column, const struct item *i);
bool column_is_text(size_t column);
struct str column_text(size_t column, const struct item *i);
/* Prints a log2 ratio as "+12 %", "-34 %", "2.0x" or "1/51". */
void column_factor(struct out *o, double octaves);
/* Prints the text of a cell. */
void column_print(struct out *o, const struct study *s, size_t column, const struct item *i);
double column_value(const struct study *s, size_t column, const struct item *i); /* NAN: none */

#endif
