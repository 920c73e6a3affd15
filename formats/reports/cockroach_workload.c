/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cockroach-workload: the summary of cockroach workload run.
 *
 *	_elapsed___errors_____ops(total)___ops/sec(cum)__avg(ms)__p50(ms)__p95(ms) ... __total
 *	   60.0s        0         123456         2057.6      3.9      3.5      6.8 ... read
 *
 * The table "__result" adds up the operations.  Lines of a second (p50, p95 ...) have no number of
 * calls.
 *
 * Seen: in posts, and in the source of 23.1.
 */
#include "formats/report/report.h"

static const struct report_format cockroach_workload = {
	.line = REPORT_LINES(
		LINE("_elapsed_*errors_*ops(total)_*__total", .opens = 1),
		LINE("_elapsed_*errors_*ops(total)_*__result", .opens = 2),
		LINE("_elapsed_*errors_*ops/sec(inst)_*", .opens = 2),
		LINE("_elapsed_*errors_*ops(total)_*_pMax(ms)", .opens = 3),
		LINE("_*optype_*elapsed_*ops(total)_*_pMax(ms)", .opens = 4),
		LINE("{elapsed} {number} {calls} {number} {mean} {p50} {p95} {p99} {max} {name}",
		     .begins = true, .in = 1),
		LINE("{elapsed} {number} {calls} {number} {mean} {p50} {p95} {p99} {max}",
		     .begins = true, .in = 3),
		LINE("{name} {elapsed} {calls} {number} {mean} {p50} {p95} {p99} {max}",
		     .begins = true, .in = 4)),
	.unit = UNIT_MS,
};

const struct format format_cockroach_workload = {
	.name = "cockroach-workload",
	.title = "operations, as cockroach workload prints them",
	.versions = "23.1",
	.unit = "ms, always",
	.totals = "mean times operations, to 0.1 ms",
	.line_marks = LINE_MARKS(
		{ .has = MARKS("_elapsed_", "errors_", "ops(total)_", "pMax(ms)"),
		  .score = PROBE_MAGIC },
		{ .has = MARKS("____optype_", "elapsed_", "ops(total)_"), .score = PROBE_MAGIC },
		{ .has = MARKS("_elapsed_", "errors_", "ops/sec(inst)"),
		  .why = "lines of a second have no number of operations; the summary at the end "
			 "has" }),
	.read = report_read,
	.spec = &cockroach_workload,
};
