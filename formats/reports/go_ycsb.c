/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * go-ycsb: what go-ycsb prints of each operation.
 *
 *	READ   - Takes(s): 9.9, Count: 5003, OPS: 505.7, Avg(us): 1432, Min(us): 311, ...
 *
 * A line that is printed again holds all since the start.
 *
 * Seen: in posts from 2018 to 2024.  Left out: TOTAL.
 */
#include "formats/report/report.h"

static const struct report_format go_ycsb = {
	.line = REPORT_LINES(
		LINE("TOTAL *"),
		LINE("{name} - Takes(s): {elapsed}, Count: {calls}, OPS: {number}, Avg(us): "
		     "{mean}, Min(us): {min}, Max(us): {max}, ~{percent}th(us): {value},",
		     .begins = true)),
	.unit = UNIT_US,
	.repeated = REPEATED_LATEST,
};

const struct format format_go_ycsb = {
	.name = "go-ycsb",
	.title = "operations, as go-ycsb prints them",
	.versions = "1.0",
	.unit = "us, always",
	.totals = "mean times operations, to 1 us",
	.line_marks = LINE_MARKS(
		{ .line = "{name} - Takes(s): *Count: *Avg(us): *", .score = PROBE_MAGIC }),
	.read = report_read,
	.spec = &go_ycsb,
};
