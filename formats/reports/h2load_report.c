/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * h2load-report: the report of h2load.
 *
 *	finished in 579.56ms, 690.18 req/s, 85.60KB/s
 *	requests: 400 total, 400 started, 400 done, 400 succeeded, 0 failed, 0 errored, 0 timeout
 *	                     min         max         mean         sd        +/- sd
 *	time for request:      365us     19.36ms      5.43ms      3.80ms    65.25%
 *
 * The operation is "request"; the times of connections and of first bytes have no number of calls.
 *
 * Seen: 1.52.
 */
#include "formats/report/report.h"

static const struct report_format h2load_report = {
	.line = REPORT_LINES(
		LINE("starting benchmark...", .run = true),
		LINE("spawning thread #0: {clients} total client(s)*"),
		LINE("finished in {elapsed}, *", .of = ""),
		LINE("requests: {number} total, {number} started, {calls} done, *", .of = ""),
		LINE("time for request: {min} {max} {mean} {deviation} *", .begins = true)),
	.name = "request",
};

const struct format format_h2load_report = {
	.name = "h2load-report",
	.title = "requests, as h2load prints them",
	.versions = "1.52",
	.unit = "stated after each number",
	.totals = "mean times requests, to the digits of the mean",
	.line_marks = LINE_MARKS({ .has = MARKS("time for request:"), .score = PROBE_MARKS }),
	.read = report_read,
	.spec = &h2load_report,
};
