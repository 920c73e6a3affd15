/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by report/calls*.c only. */
#ifndef REPORT_CALLS_PARTS_H
#define REPORT_CALLS_PARTS_H

#include "profile/quantity.h"
#include "report/calls.h"

static const struct scale ns = { .unit = UNIT_NS };

/* Whether a report is printed as CSV. */
static inline bool is_csv(const struct style *s)
{
	return s->output_format == OUTPUT_FORMAT_CSV;
}

/* Returns how many of n rows are shown; CSV shows all. */
static inline size_t rows_shown(const struct style *s, const struct calls_report *r, size_t n)
{
	return !is_csv(s) && n > r->top ? r->top : n;
}

/* Says how many of n rows were not shown; prints nothing when all were. */
void say_rest(struct out *o, const struct style *s, size_t n, size_t rows);

/* Tables in text, CSV and Markdown. calls_changes_table() heads the column of what changed
 * `name` in CSV and `title` in text, and the column of times `time` in text. */
void calls_changes_table(struct out *o, const struct style *s, const struct calls_report *r,
			 const struct call_changes *c, const char *name, const char *title,
			 const char *time);
void calls_sites_table(struct out *o, const struct style *s, const struct calls_report *r);
void calls_trends_table(struct out *o, const struct style *s, const struct calls_report *r,
			const struct calls_run *run);
void calls_times_table(struct out *o, const struct style *s, const struct calls_report *r,
		       const struct calls_run *run);
/* Prints sentences and a table. */
void calls_overlap(struct out *o, const struct style *s, const struct calls_report *r,
		   const struct calls_run *run);
/* CSV only. */
void calls_summary_table(struct out *o, const struct style *s, const struct calls_report *r,
			 const struct calls_run *run);
/* Laid out like table 4 of the DeBox paper; text and Markdown. */
void calls_blocking_table(struct out *o, const struct style *s, const struct calls_report *r);
/* CSV only: one row for each operation, with its calls and time on each resource. */
void calls_blocking_matrix(struct out *o, const struct calls_side *side);

/* Prints the schema osprof.calls/1. */
void calls_json(struct out *o, const struct calls_report *r);

#endif
