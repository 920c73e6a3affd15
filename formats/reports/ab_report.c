/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ab-report: the report of ApacheBench.
 *
 *	Time taken for tests:   1.263 seconds
 *	Complete requests:      500
 *	Time per request:       10.100 [ms] (mean)
 *	Connection Times (ms)
 *	              min  mean[+/-sd] median   max
 *	Total:          1   10   8.9      8      96
 *	Percentage of the requests served within a certain time (ms)
 *	  50%      8
 *	 100%     96 (longest request)
 *
 * The operation is "request", as from ab -g.  The mean is that of "Time per request", because those
 * of the table are whole milliseconds.
 *
 * Seen: 2.3 of httpd 2.4.
 */
#include "formats/report/report.h"

static const struct report_format ab_report = {
	.line = REPORT_LINES(
		LINE("This is ApacheBench*", .run = true), LINE("Concurrency Level: {clients}"),
		LINE("Time taken for tests: {elapsed}", .of = ""),
		LINE("Complete requests: {calls}", .of = ""),
		LINE("Time per request: {mean} [{unit}] (mean)", .of = ""),
		LINE("Connection Times ({unit})", .opens = 1),
		LINE("Total: {min} {number} {deviation} {p50} {max}", .begins = true, .in = 1),
		LINE("Percentage of the requests *({unit})", .opens = 2),
		LINE("{percent}% {value} *", .in = 2), LINE("{percent}% {value}", .in = 2)),
	.name = "request",
};

const struct format format_ab_report = {
	.name = "ab-report",
	.title = "requests, as ab prints them",
	.versions = "2.3 of httpd 2.4",
	.unit = "stated",
	.totals = "mean times requests, to 1 us",
	.line_marks = LINE_MARKS(
		{ .has = MARKS("Connection Times (ms)"), .score = PROBE_MARKS },
		{ .has = MARKS("Percentage of the requests served"), .score = PROBE_MARKS }),
	.read = report_read,
	.spec = &ab_report,
};
