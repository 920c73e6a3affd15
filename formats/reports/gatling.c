/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gatling: the statistics that Gatling prints at its end.
 *
 *	---- Global Information --------------------------------------------------------
 *	> request count                                      10000 (OK=9990   KO=10    )
 *	> min response time                                     10 (OK=10     KO=12    )
 *	> mean response time                                   123 (OK=123    KO=130   )
 *	> std deviation                                         45 (OK=45     KO=50    )
 *	> response time 99th percentile                        310 (OK=310    KO=200   )
 *
 * and, since 3.11, in columns: "> request count | 10,000 | 9,990 | 10".
 *
 * The operation is "request"; those that failed count, too.
 *
 * Seen: in the documentation of 3.9 and 3.11, and in posts.
 */
#include "formats/report/report.h"

static const struct report_format gatling = {
	.line = REPORT_LINES(
		LINE("---- Global Information *", .run = true),
		LINE("> request count *| {calls} | *"), LINE("> request count {calls} (OK=*"),
		LINE("> min response time *| {min} | *"), LINE("> min response time {min} (OK=*"),
		LINE("> max response time *| {max} | *"), LINE("> max response time {max} (OK=*"),
		LINE("> mean response time *| {mean} | *"),
		LINE("> mean response time {mean} (OK=*"),
		LINE("> *std deviation *| {deviation} | *"),
		LINE("> std deviation {deviation} (OK=*"),
		LINE("> response time {percent}th percentile *| {value} | *"),
		LINE("> response time {percent}th percentile {value} (OK=*")),
	.name = "request",
	.unit = UNIT_MS,
	.grouped = true,
	.repeated = REPEATED_LATEST,
};

const struct format format_gatling = {
	.name = "gatling",
	.title = "requests, as Gatling prints them",
	.versions = "3.9, 3.11",
	.unit = "ms, always",
	.totals = "mean times requests, to 1 ms",
	.line_marks =
		LINE_MARKS({ .has = MARKS("---- Global Information ---"), .score = PROBE_MAGIC },
			   { .has = MARKS("> request count "), .score = PROBE_MARKS }),
	.read = report_read,
	.spec = &gatling,
};
