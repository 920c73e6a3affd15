/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * jmeter-report: the summary that JMeter prints while it runs and at its end.
 *
 *	summary +    100 in 00:00:10 =   10.0/s Avg:   120 Min:    50 Max:   500 Err:     0 (0.00%)
 *	summary =    300 in 00:00:30 =   10.0/s Avg:   118 Min:    48 Max:   612 Err:     1 (0.33%)
 *
 * The operation is "request"; those that failed count, too.  Of the lines with =, which state all
 * since the start, the last is read.
 *
 * Seen: in posts of 2.13 to 5.6.
 */
#include "formats/report/report.h"

static const struct report_format jmeter_report = {
	.line = REPORT_LINES(LINE("*= {calls} in {elapsed} = {rate}/s Avg: {mean} Min: {min} Max: "
				  "{max} Err: *",
				  .name = "request", .begins = true)),
	.unit = UNIT_MS,
	.repeated = REPEATED_LATEST,
};

const struct format format_jmeter_report = {
	.name = "jmeter-report",
	.title = "requests, as JMeter prints their summary",
	.versions = "2.13 to 5.6",
	.unit = "ms, always",
	.totals = "mean times requests, to 1 ms",
	.line_marks = LINE_MARKS(
		{ .line = "*= {calls} in {elapsed} = {rate}/s Avg: *", .score = PROBE_MAGIC }),
	.read = report_read,
	.spec = &jmeter_report,
};
