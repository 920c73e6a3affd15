/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * warp: requests to object storage, as warp analyze -analyze.v prints them.
 *
 *	Operation: GET (5742). Ran 1m0s. Size: 10000 bytes. Concurrency: 100.
 *	Requests considered: 5737:
 *	 * Avg: 10ms, 50%: 10ms, 90%: 15ms, 99%: 24ms, Fastest: 1ms, Slowest: 117ms, StdDev: 5ms
 *	 * TTFB: Avg: 10ms, Best: 1ms, 25th: 8ms, Median: 10ms, 75th: 13ms, 90th: 15ms, ...
 *
 * The requests that the latencies are of are those considered.  Left out: times to the first byte.
 *
 * Seen: in posts of 2020 to 2023.
 */
#include "formats/report/report.h"

static const struct report_format warp = {
	.line = REPORT_LINES(
		LINE("Operation: {name} ({number}). Ran {elapsed}. * Concurrency: {clients}.*",
		     .begins = true),
		LINE("Operation: {name} ({number}). Ran {elapsed}.*", .begins = true),
		LINE("Requests considered: {calls}:*"),
		LINE("*** Avg: {mean}, 50%: {p50}, 90%: {p90}, 99%: {p99}, Fastest: {min}, "
		     "Slowest: "
		     "{max}, StdDev: {deviation}"),
		LINE("*** Avg: {mean}, 50%: {p50}, 90%: {p90}, 99%: {p99}, Fastest: {min}, "
		     "Slowest: "
		     "{max}")),
	.headings = true,
	.fixed_duration = true,
};

const struct format format_warp = {
	.name = "warp",
	.title = "requests to object storage, as warp prints them",
	.versions = "2020 to 2023",
	.unit = "stated after each number",
	.totals = "mean times requests",
	.line_marks =
		LINE_MARKS({ .line = "Operation: {name} ({number}). Ran {elapsed}.*",
			     .why = "no requests considered: warp analyze -analyze.v has them" },
			   { .place = LINE_AFTER,
			     .line = "Requests considered: {calls}:*",
			     .score = PROBE_MAGIC }),
	.read = report_read,
	.spec = &warp,
};
