/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bombardier: reports of the HTTP load generator bombardier.
 *
 *	Bombarding http://localhost:8080 for 10s using 125 connection(s)
 *	Statistics        Avg      Stdev        Max
 *	  Latency      471.00us   522.34us    51.00ms
 *	  Latency Distribution
 *	     50%   397.00us
 *	    1xx - 0, 2xx - 264560, 3xx - 0, 4xx - 0, 5xx - 0
 *	    others - 0
 *
 * The operation is "latency".  Requests with an answer count, whatever its code.
 *
 * Seen: in the documentation of 1.2, and in posts.
 */
#include "formats/report/report.h"

static const struct report_format bombardier = {
	.line = REPORT_LINES(
		LINE("Bombarding * for {elapsed} using {clients} connection*", .of = "",
		     .run = true, .fixed_duration = true),
		LINE("Bombarding * using {clients} connection*", .run = true),
		LINE("Latency {mean} {deviation} {max}", .begins = true),
		LINE("Latency Distribution", .opens = 1), LINE("{percent}% {value}", .in = 1),
		LINE("1xx - {calls}, 2xx - {calls}, 3xx - {calls}, 4xx - {calls}, 5xx - {calls}")),
};

const struct format format_bombardier = {
	.name = "bombardier",
	.title = "requests, as bombardier prints them",
	.versions = "1.2",
	.unit = "stated after each number",
	.totals = "mean times requests, to the digits of the mean",
	.line_marks = LINE_MARKS(
		{ .has = MARKS("Bombarding ", " using ", " connection"), .score = PROBE_MAGIC },
		{ .has = MARKS("Statistics ", "Avg", "Stdev", "Max"), .score = PROBE_MARKS }),
	.read = report_read,
	.spec = &bombardier,
};
