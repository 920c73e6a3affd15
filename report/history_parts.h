/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by report/history*.c only. */
#ifndef REPORT_HISTORY_PARTS_H
#define REPORT_HISTORY_PARTS_H

#include "analyze/history/history.h"
#include "report/report.h"

struct out;

/* An operation and one of its changes, in the order of report. */
struct history_reported {
	const struct past *past;
	const struct change *change; /* NULL: the operation has none */
	size_t latest;		     /* run of the change; the last run for a drift */
	size_t rank;		     /* rank of the operation */
};

const char *change_kind_name(enum change_kind k); /* "step" */
/* Whether a change is one of the number of calls alone; c may be NULL. */
bool history_is_of_calls(const struct change *c);
/* Returns the name of a run without its folders. */
const char *history_run_name(const struct history_findings *f, size_t run);

/* Print lines of text or Markdown: which runs, how many operations changed, one change, and runs that
 * are unlike their neighbours. */
void history_heading(struct out *o, const struct style *s, const struct history_findings *f);
void history_summary(struct out *o, const struct style *s, const struct history_report *c,
		     const struct history_reported *v, size_t n);
void history_sentence(struct out *o, const struct style *s, const struct history_findings *f,
		      const struct history_reported *reported);
void history_outliers(struct out *o, const struct style *s, const struct history_findings *f);

void history_json(struct out *o, const struct history_report *c);
/* Prints a page with the n changes of v, in order. */
void history_html(struct out *o, const struct history_report *c, const struct history_reported *v,
		  size_t n);

#endif
