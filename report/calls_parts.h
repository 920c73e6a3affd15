/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files of osprof calls; nobody else's. */
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

/* Rows that are shown of n; CSV has all of them. */
static inline size_t rows_shown(const struct style *s, const struct calls_report *r, size_t n)
{
	return !is_csv(s) && n > r->top ? r->top : n;
}

/* That there are more than were shown. */
void say_rest(struct out *o, const struct style *s, size_t n, size_t rows);

/* Tables in text, CSV and Markdown. Changes are of `name` in CSV and of `title` in
 * text, where their time is called `time`. */
void calls_changes_table(struct out *o, const struct style *s, const struct calls_report *r,
			 const struct call_changes *c, const char *name, const char *title,
			 const char *time);
void calls_sites_table(struct out *o, const struct style *s, const struct calls_report *r);
void calls_trends_table(struct out *o, const struct style *s, const struct calls_report *r,
			const struct calls_run *run);
void calls_times_table(struct out *o, const struct style *s, const struct calls_report *r,
		       const struct calls_run *run);
/* Sentences and a table. */
void calls_overlap(struct out *o, const struct style *s, const struct calls_report *r,
		   const struct calls_run *run);
/* CSV only. */
void calls_summary_table(struct out *o, const struct style *s, const struct calls_report *r,
			 const struct calls_run *run);
/* In the manner of table 4; text and Markdown. */
void calls_blocking_table(struct out *o, const struct style *s, const struct calls_report *r);
/* CSV: a row for each call, calls and time for each resource. */
void calls_blocking_matrix(struct out *o, const struct calls_side *side);

/* Prints the schema osprof.calls/1. */
void calls_json(struct out *o, const struct calls_report *r);

#endif
