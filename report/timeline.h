/* SPDX-License-Identifier: GPL-3.0-or-later */
/* osprof timeline: reports on a run over time. */
#ifndef REPORT_TIMELINE_H
#define REPORT_TIMELINE_H

#include "report/report.h"

struct coincidences;
struct timeline;

/* Sections of the report; their bits choose what is printed. */
enum timeline_section {
	TIMELINE_OPERATIONS,
	TIMELINE_CHANGES,
	TIMELINE_PEAKS,
	TIMELINE_COINCIDENCES,
	TIMELINE_INTERVALS,
	N_TIMELINE_SECTIONS
};
extern const char *const timeline_sections[]; /* their names, then NULL */

/* The input of report_timeline(); all pointers are borrowed. */
struct timeline_report {
	const struct run *run;
	const struct timeline *timeline;
	const struct coincidences *coincidences;
	unsigned sections; /* bits of enum timeline_section; CSV prefers the intervals */
	bool all;	   /* print all rows */
};

/* Prints a run over time. */
void report_timeline(struct out *o, const struct style *s, const struct timeline_report *r);
/* Prints which operations are slow, or called, in the same intervals: sentences, or a table. */
void report_coincidences(struct out *o, const struct style *s, const struct timeline_report *r);

#endif
