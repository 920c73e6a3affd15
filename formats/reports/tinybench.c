/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tinybench: tables that tinybench prints.
 *
 *	│ (index) │ Task name  │ Latency avg (ns) │ Latency med (ns) │ ... │ Samples │
 *	│ 0       │ 'parse'    │ '638.1 ± 4.02%'  │ '589.0 ± 15.00'  │ ... │ 31395   │
 *
 * and, before 3.0, the columns ops/sec, Average Time (ns), Margin, Samples.
 *
 * Seen: 6.0 and, in posts, 2.5.
 */
#include "formats/report/report.h"

/* Names are quoted as strings of JavaScript.  A task that failed adds the columns Error and Stack.
 */
#define ROW(quote)                                                                                 \
	LINE("| {number} | " quote "{name}" quote " | '{mean} ± *' | '{p50} ± *' | *' | "        \
	     "*' | {calls} |*",                                                                    \
	     .begins = true, .in = 1)

static const struct report_format tinybench = {
	.line = REPORT_LINES(
		LINE("| (index) | Task name | Latency avg ({unit}) | *", .opens = 1),
		LINE("| (index) | Task Name | ops/sec | Average Time ({unit}) | *", .opens = 2),
		ROW("'"), ROW("\""), ROW("`"),
		LINE("| {number} | '{name}' | '*' | {mean} | '*' | {calls} |", .begins = true,
		     .in = 2)),
	.unit = UNIT_NS,
	.grouped = true,
	.fixed_duration = true,
};

const struct format format_tinybench = {
	.name = "tinybench",
	.title = "latencies of tasks, as tinybench prints them",
	.versions = "6.0",
	.unit = "stated in the head",
	.totals = "mean times samples, to the digits of the mean",
	.line_marks = LINE_MARKS(
		{ .has = MARKS("\xe2\x94\x82 (index)", "Task ", "Samples"), .score = PROBE_MAGIC },
		{ .has = MARKS("| (index)", "Task ", "Samples"), .score = PROBE_MAGIC }),
	.read = report_read,
	.spec = &tinybench,
};
