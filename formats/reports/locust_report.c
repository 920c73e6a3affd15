/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * locust-report: the tables that Locust prints.
 *
 *	Type     Name          # reqs      # fails |    Avg     Min     Max    Med |   req/s ...
 *	GET      /hello           100     0(0.00%) |     12       3      45     10 |   10.00 ...
 *	Type     Name            50%    66%    75%    80%    90%    95%    98%    99% ... # reqs
 *	GET      /hello           10     12     14     15     18     22     30     41 ... 100
 *
 * The operation is method and name.  A table that is printed again holds all since the start.
 *
 * Seen: in posts, and in the source of 2.46.
 */
#include "formats/report/report.h"

static const struct report_format locust_report = {
	.line = REPORT_LINES(
		LINE("Type Name # reqs *", .opens = 1), LINE("Name # reqs # fails *", .opens = 1),
		LINE("Type Name *50%*", .opens = 2), LINE("Name # reqs *50%*", .opens = 3),
		LINE("Error report", .opens = 4), LINE("Aggregated *"), LINE("Total *"),
		LINE("{name} {calls} {number}(*%) | {mean} {min} {max} {p50} | *", .begins = true,
		     .in = 1),
		LINE("{name} {calls} {number} | {mean} {min} {max} {p50} | *", .begins = true,
		     .in = 1),
		LINE("{name} {calls} {number}(*%) {mean} {min} {max} | {p50} *", .begins = true,
		     .in = 1),
		LINE("{name} {p50} {p66} {p75} {p80} {p90} {p95} {p98} {p99} {p99.9} {p99.99} "
		     "{p100} {calls}",
		     .known = true, .in = 2),
		LINE("{name} {p50} {p66} {p75} {p80} {p90} {p95} {p98} {p99} {p100} {calls}",
		     .known = true, .in = 2)),
	.unit = UNIT_MS,
	.fixed_duration = true,
	.repeated = REPEATED_LATEST,
};

const struct format format_locust_report = {
	.name = "locust-report",
	.title = "requests, as Locust prints them",
	.versions = "2.46",
	.unit = "ms, always",
	.totals = "mean times requests, to 1 ms",
	.line_marks = LINE_MARKS(
		{ .has = MARKS("Type ", "Name ", "# reqs", "# fails", "Avg"),
		  .score = PROBE_MAGIC },
		{ .has = MARKS("Name ", "# reqs", "# fails", "Avg"), .score = PROBE_MAGIC }),
	.read = report_read,
	.spec = &locust_report,
};
