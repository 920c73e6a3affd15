/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * wrk: reports of the HTTP load generator wrk, and of wrk2 without --latency.
 *
 *	Running 30s test @ http://127.0.0.1:80/index.html
 *	  2 threads and 100 connections
 *	  Thread Stats   Avg      Stdev     Max   +/- Stdev
 *	    Latency     6.60ms    1.92ms  12.50ms   68.46%
 *	  Latency Distribution
 *	     50%    6.67ms
 *	  60018 requests in 30.00s, 19.81MB read
 *
 * The operation is "latency".  A spectrum of wrk2 is read by the format wrk2.
 *
 * Seen: 4.1.
 */
#include "formats/report/report.h"

static const struct report_format wrk = {
	.line = REPORT_LINES(
		LINE("Running * test @ *", .run = true),
		LINE("{number} threads and {clients} connections"),
		LINE("Latency {mean} {deviation} {max} *", .name = "latency", .begins = true),
		LINE("Latency Distribution*", .opens = 1),
		LINE("Latency *", .refuse = "expected mean, deviation and maximum"),
		LINE("{percent}% {value}", .in = 1),
		LINE("{calls} requests in {elapsed}, *", .of = "")),
	.fixed_duration = true, /* wrk has no other mode */
};

const struct format format_wrk = {
	.name = "wrk",
	.title = "requests, as wrk prints them",
	.versions = "wrk 4.1, wrk2 at 44a94c1",
	.unit = "stated after each number",
	.totals = "mean times requests, to the digits of the mean",
	.line_marks = LINE_MARKS(
		{ .has = MARKS("Running ", " test @ "), .score = PROBE_SHAPE },
		{ .has = MARKS("Thread Stats ", "Avg", "Stdev", "Max"), .score = PROBE_MARKS }),
	.read = report_read,
	.spec = &wrk,
};
