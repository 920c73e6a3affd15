/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pytest-report: the table that pytest-benchmark prints.
 *
 *	Name (time in us)  Min             Max             Mean  StdDev  Median  IQR  Outliers ...
 *	test_fast          12.3450 (1.0)   120.1000 (1.0)  13.5000 (1.0)   ...   10000           1
 *
 * The operation is a test, a call one of its rounds.
 *
 * Seen: in the documentation of 4.0 and in posts.  Not supported: --benchmark-columns.
 */
#include "formats/report/report.h"

#define HEAD "Name (time in {unit}) Min Max Mean StdDev Median IQR Outliers * Rounds Iterations"

static const struct report_format pytest_report = {
	.line = REPORT_LINES(
		LINE(HEAD, .opens = 1), LINE("Legend:", .opens = 2),
		LINE("{name} {min} (*) {max} (*) {mean} (*) {deviation} (*) {p50} (*) {number} "
		     "(*) *;* * {calls} {number}",
		     .begins = true, .in = 1),
		LINE("{name} {min} {max} {mean} {deviation} {p50} {number} *;* * {calls} {number}",
		     .begins = true, .in = 1)),
	.grouped = true,
};

const struct format format_pytest_report = {
	.name = "pytest-report",
	.title = "rounds of tests, as pytest-benchmark prints them",
	.versions = "4.0",
	.unit = "stated in the head",
	.totals = "mean times rounds, to the digits of the mean",
	.line_marks = LINE_MARKS({ .line = HEAD, .score = PROBE_MAGIC },
				 { .has = MARKS("Name (time in "),
				   .why = "needs the columns that pytest-benchmark prints without "
					  "--benchmark-columns" }),
	.read = report_read,
	.spec = &pytest_report,
};
