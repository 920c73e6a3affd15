/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * catch2: the benchmarks of the test framework Catch2.
 *
 *	benchmark name                       samples       iterations    est run time
 *	Fibonacci 20                                    100           416     7.05 ms
 *	                                        2.45 us        2.43 us        2.48 us
 *	                                         120 ns         100 ns         130 ns
 *
 * The first columns of the second and third line are mean and deviation.
 *
 * Seen: in the documentation of 3.0, and in posts.
 */
#include "formats/report/report.h"

enum { BEFORE, NAMES, MEANS, DEVIATIONS };

static const struct report_format catch2 = {
	.line = REPORT_LINES(
		LINE("benchmark name samples iterations *", .opens = NAMES),
		LINE("{name} {calls} {number} {time}", .begins = true, .in = NAMES, .opens = MEANS),
		LINE("{mean} {time} {time}", .in = MEANS, .opens = DEVIATIONS),
		LINE("{deviation} {time} {time}", .in = DEVIATIONS, .opens = NAMES)),
};

const struct format format_catch2 = {
	.name = "catch2",
	.title = "means of benchmarks, as Catch2 prints them",
	.versions = "2.13, 3.0",
	.unit = "stated after each number",
	.totals = "mean times samples, to the digits of the mean",
	.line_marks = LINE_MARKS({ .has = MARKS("benchmark name ", "samples ", "iterations "),
				   .score = PROBE_MAGIC }),
	.read = report_read,
	.spec = &catch2,
};
