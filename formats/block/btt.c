/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * btt: btt's summary of a block trace.
 *
 *	==================== All Devices ====================
 *
 *	            ALL           MIN           AVG           MAX           N
 *	--------------- ------------- ------------- ------------- -----------
 *	Q2Q               0.000000455   0.000009032   1.811181609      491566
 *	D2C               0.000057729   0.037337508   2.011319687      491566
 *
 * For each phase of a request: calls, extremes, and the mean, from which the total is computed to
 * within a nanosecond a call; no distribution.  Times between two requests (Q2Q, Q2A, D2D) are
 * not latencies and are left out with a note, as is the Q2D histogram, which is in percent.
 *
 * Seen: 1.2.0 and blktrace's documentation.  Not supported: other tables.  btt_dat.c reads the
 * files of -l and -q.
 */
#include "formats/report/report.h"

enum { OUTSIDE, TABLE, ROWS, AFTER };

#define BETWEEN(row) LINE(row, .in = ROWS, .leave_out = "no latency but the time between requests")

static const char row[] = "expected NAME MIN AVG MAX N";

static const struct report_format btt = {
	.line = REPORT_LINES(LINE("==*= All Devices =*", .opens = TABLE),
			     LINE("==*", .opens = AFTER), LINE("---*", .in = TABLE, .opens = ROWS),
			     LINE("", .in = ROWS), BETWEEN("Q2Q*"), BETWEEN("Q2A*"),
			     BETWEEN("D2D*"),
			     LINE("{name} {min} {mean} {max} {calls}", .begins = true, .in = ROWS),
			     LINE("*", .refuse = row, .in = ROWS)),
	.unit = UNIT_S,
	.kept = UNIT_NS,
	.repeated = REPEATED_REFUSED,
};

const struct format format_btt = {
	.name = "btt",
	.title = "btt: stretches of block requests, calls and totals only",
	.versions = "1.0 to 1.2.0",
	.unit = "stated",
	.totals = "from the mean, to 1 ns a call",
	.line_marks = LINE_MARKS({ .line = "==*= All Devices =*", .score = PROBE_MAGIC }),
	.read = report_read,
	.spec = &btt,
};
