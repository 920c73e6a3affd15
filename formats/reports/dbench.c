/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dbench: calls and latencies of its operations.
 *
 *	 Operation      Count    AvgLat    MaxLat
 *	 ----------------------------------------
 *	 NTCreateX      16975     0.011     8.085
 *	 Flush           1195     3.127    23.764
 *
 *	Throughput 202.272 MB/sec  2 clients  2 procs  max_latency=16.004 ms
 *
 * Milliseconds.  No distribution.
 *
 * Seen: 4.0.
 */
#include "formats/report/report.h"

static const char row[] = "expected an operation, its count, and mean and maximum in ms";

static const struct report_format dbench = {
	.line = REPORT_LINES(LINE("Running for {elapsed} *", .of = "", .fixed_duration = true),
			     LINE("Operation Count AvgLat MaxLat", .opens = 1,
				  .unfinished = "no throughput after the operations"),
			     LINE("", .in = 1), LINE("-----*", .in = 1),
			     LINE("{name} {calls} {mean} {max}", .begins = true, .in = 1),
			     LINE("Throughput {number} MB/sec {clients} clients *", .opens = 2),
			     LINE("*", .refuse = row, .in = 1)),
	.unit = UNIT_MS,
	.kept = UNIT_US,
	.repeated = REPEATED_REFUSED,
};

const struct format format_dbench = {
	.name = "dbench",
	.title = "dbench: calls and totals only",
	.versions = "4.0",
	.unit = "ms, always",
	.totals = "mean times calls, to 1 us a call",
	.line_marks = LINE_MARKS({ .line = "Operation Count AvgLat MaxLat", .score = PROBE_MAGIC }),
	.read = report_read,
	.spec = &dbench,
};
