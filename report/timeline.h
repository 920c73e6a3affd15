/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `osprof timeline` prints. */
#ifndef REPORT_TIMELINE_H
#define REPORT_TIMELINE_H

#include "report/report.h"

struct coincidences;
struct timeline;

/* Parts of the report of a run over time; bits of them are chosen. */
enum timeline_section {
	TIMELINE_OPERATIONS,
	TIMELINE_CHANGES,
	TIMELINE_PEAKS,
	TIMELINE_COINCIDENCES,
	TIMELINE_INTERVALS,
	N_TIMELINE_SECTIONS
};
extern const char *const timeline_sections[]; /* their names, then NULL */

/* All borrowed. */
struct timeline_report {
	const struct run *run;
	const struct timeline *timeline;
	const struct coincidences *coincidences;
	unsigned sections; /* bits of enum timeline_section; in CSV the intervals come first */
	bool all;	   /* all rows */
};

/* Prints a run over time. */
void report_timeline(struct out *o, const struct style *s, const struct timeline_report *r);
/* Prints what happens in the same intervals: sentences, or a table. */
void report_coincidences(struct out *o, const struct style *s, const struct timeline_report *r);

#endif
