/* SPDX-License-Identifier: GPL-3.0-or-later */
/* osprof calls: reports on per-call records of one side, or of two that are compared. */
#ifndef REPORT_CALLS_H
#define REPORT_CALLS_H

#include "analyze/calls/calls.h"
#include "report/style.h"

struct out;

/* The parts of the report, in the order in which they are printed. */
enum calls_section {
	CALLS_SUMMARY,
	CALLS_BLOCKING,
	CALLS_SITES,
	CALLS_TRENDS,
	CALLS_TIMES,
	CALLS_OVERLAP,
};
enum { N_CALLS_SECTIONS = CALLS_OVERLAP + 1 };

/* Names of the sections on the command line, in the order of the enum; NULL-terminated. */
extern const char *const calls_sections[];

/* One side: the run, or the sum of several. */
struct calls_run {
	const char *path; /* as typed; the first of several */
	size_t n_more;	  /* files after the first */
	struct calls_side side;
	struct trends trends;
	struct all_times times;
	struct overlaps overlaps;
};

/* The input of report_calls(); all pointers are borrowed. */
struct calls_report {
	const struct calls_run *before; /* the only side when `after` is NULL */
	const struct calls_run *after;	/* NULL: one side */
	struct call_changes sites, blocking;
	unsigned sections; /* bits of enum calls_section; exactly one for CSV */
	size_t top;	   /* maximum rows of a table in text and Markdown */
};

/* Prints the chosen sections in the output format of the style. */
void report_calls(struct out *o, const struct style *s, const struct calls_report *r);

#endif
