/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * drill: the statistics of drill --stats.
 *
 *	Time taken for tests      1.2 seconds
 *	Total requests            1000
 *	Median time per request   5ms
 *	Average time per request  6ms
 *	Sample standard deviation 2ms
 *	99.0'th percentile        10ms
 *
 * The operation is "request".
 *
 * Seen: in the documentation of 0.8.
 */
#include "formats/report/report.h"

static const struct report_format drill = {
	.line = REPORT_LINES(
		LINE("Concurrency {clients}"), LINE("Time taken for tests* {elapsed}", .of = ""),
		LINE("Total requests* {calls}", .of = ""), LINE("Median time per request* {p50}"),
		LINE("Average time per request* {mean}"),
		LINE("Sample standard deviation* {deviation}"),
		LINE("{percent}'th percentile* {value}")),
	.name = "request",
	.unit = UNIT_MS,
};

const struct format format_drill = {
	.name = "drill",
	.title = "requests, as drill prints them",
	.versions = "0.8",
	.unit = "stated after each number",
	.totals = "mean times requests, to 1 ms",
	.line_marks =
		LINE_MARKS({ .has = MARKS("Median time per request"), .score = PROBE_MARKS },
			   { .has = MARKS("Sample standard deviation"), .score = PROBE_MARKS }),
	.read = report_read,
	.spec = &drill,
};
