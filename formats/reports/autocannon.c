/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * autocannon: the tables of autocannon.
 *
 *	│ Stat    │ 2.5% │ 50%  │ 97.5% │ 99%   │ Avg     │ Stdev   │ Max   │
 *	│ Latency │ 0 ms │ 1 ms │ 17 ms │ 24 ms │ 3.07 ms │ 4.99 ms │ 36 ms │
 *	│ Percentile │ Latency (ms) │				with -l
 *	│ 99.9       │ 36           │
 *	│ Stat    │ 1%   │ 2.5% │ 50%  │ 97.5% │ Avg   │ Stdev │ Min │
 *	│ Req/Sec │ 387  │ 387  │ 387  │ 894   │ 640.5 │ 253.5 │ 387 │
 *	# of samples: 2
 *	2k requests in 2.06s, 274 kB read
 *	14 errors (0 timeouts)
 *
 * and, before 2.0,
 *
 *	Latency (ms) 242.4   351.36 1296.58
 *
 * The operation is "latency".  From 1000 requests on, "1k", their number follows from the mean
 * of the rate, which is taken once a second.  Requests that failed have no latency.
 *
 * Seen: 8.0, and older ones in posts.
 */
#include "formats/report/report.h"

static const struct report_format autocannon = {
	.line = REPORT_LINES(
		LINE("Running {time} test @ *", .run = true, .fixed_duration = true),
		LINE("Running * test @ *", .run = true), LINE("{clients} connections*"),
		LINE("| Latency | {p2.5} | {p50} | {p97.5} | {p99} | {mean} | "
		     "{deviation} | {max} |",
		     .begins = true),
		LINE("Stat Avg 90% 99% Max", .opens = 2),
		LINE("Latency ({unit}) {mean} {p90} {p99} {max}", .begins = true, .in = 2),
		LINE("Latency ({unit}) {mean} {deviation} {max}", .begins = true),
		LINE("| Percentile | Latency ({unit}) |", .opens = 1),
		LINE("| {percent} | {value} |", .in = 1),
		LINE("| Req/Sec | {number} | {number} | {number} | {number} | {rate} | *"),
		LINE("Req/Sec {rate} *"), LINE("# of samples: {seconds}"),
		LINE("{calls} requests in {elapsed}, *", .of = ""),
		LINE("{failed} errors (*", .of = "")),
};

const struct format format_autocannon = {
	.name = "autocannon",
	.title = "latencies of requests, as autocannon prints them",
	.versions = "1 to 8.0",
	.unit = "stated",
	.totals = "mean times requests, both rounded",
	.line_marks = LINE_MARKS(
		{ .has = MARKS("\xe2\x94\x82 Stat", "Avg", "Stdev", "Max"), .score = PROBE_MAGIC },
		{ .has = MARKS("| Stat", "Avg", "Stdev", "Max"), .score = PROBE_MAGIC },
		{ .line = "Stat Avg 90% 99% Max", .score = PROBE_MAGIC },
		{ .has = MARKS("Stat ", "Avg", "Stdev", "Max"), .score = PROBE_MAGIC }),
	.parts = MARKS("wrk"),
	.read = report_read,
	.spec = &autocannon,
};
