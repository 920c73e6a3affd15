/* SPDX-License-Identifier: GPL-3.0-or-later */
/* osprof values: which recorded variable separates the peaks. */
#ifndef REPORT_VALUES_H
#define REPORT_VALUES_H

#include "analyze/values/values.h"
#include "report/report.h"
#include "report/style.h"

/* The input of report_values(); all pointers are borrowed. */
struct values_report {
	struct run run;
	const struct values *values;
	const struct value_rules *rules;
	size_t top; /* maximum rows of a table in text and Markdown */
	bool all;   /* show the classes of variables that do not separate peaks, too */
};

/* Prints variables in the output format of the style. */
void report_values(struct out *o, const struct style *s, const struct values_report *r);

#endif
