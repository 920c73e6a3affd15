/* SPDX-License-Identifier: GPL-3.0-or-later */
/* osprof values: which recorded variable separates the peaks. */
#ifndef REPORT_VALUES_H
#define REPORT_VALUES_H

#include "analyze/values.h"
#include "report/report.h"
#include "report/style.h"

/* What is printed of recorded variables; all is borrowed. */
struct values_report {
	struct run run;
	const struct values *values;
	const struct value_rules *rules;
	size_t top; /* rows of a table in text and Markdown at most */
	bool all;   /* variables that do not separate get their classes, too */
};

/* Prints variables in the output format of the style. */
void report_values(struct out *o, const struct style *s, const struct values_report *r);

#endif
