/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * diskspd: the report of diskspd -L.
 *
 *	Read IO
 *	thread |       bytes     |     I/Os     |    MiB/s   |  I/O per s |  AvgLat  | LatStdDev
 *	total:        1234567890 |        12345 |      11.77 |    1234.50 |    0.800 |     0.123
 *	  %-ile |  Read (ms) | Write (ms) | Total (ms)
 *	    min |      0.032 |        N/A |      0.032
 *	3-nines |      2.101 |        N/A |      2.101
 *	    max |      5.677 |        N/A |      5.677
 *
 * Operations are "read" and "write".  Seen: in posts, and in the documentation of 2.1.
 */
#include "formats/report/report.h"

static const struct report_format diskspd = {
	.line = REPORT_LINES(
		LINE("*%-ile | Read ({unit}) | Write ({unit}) | Total ({unit})", .opens = 3),
		LINE("Total IO", .opens = 4), LINE("Read IO", .opens = 1),
		LINE("Write IO", .opens = 2), LINE("test time: {elapsed}", .of = ""),
		LINE("actual test time: {elapsed}", .of = ""),
		LINE("total: {number} | {calls} | {number} | {number} | {mean} | {deviation}",
		     .name = "read", .begins = true, .in = 1),
		LINE("total: {number} | {calls} | {number} | {number} | {mean} | {deviation}",
		     .name = "write", .begins = true, .in = 2),
		LINE("total: {number} | {calls} | {number} | {number} | {mean} | *", .name = "read",
		     .begins = true, .in = 1),
		LINE("total: {number} | {calls} | {number} | {number} | {mean} | *",
		     .name = "write", .begins = true, .in = 2),
		LINE("total: {number} | {number} | {number} | {number}",
		     .refuse = "no latencies: diskspd measures them with -L"),
		LINE("{percent}th | {value} | *", .name = "read", .known = true, .also = true,
		     .in = 3),
		LINE("{percent}th | {time} | {value} | *", .name = "write", .known = true, .in = 3),
		LINE("min | {min} | *", .name = "read", .known = true, .also = true, .in = 3),
		LINE("min | {time} | {min} | *", .name = "write", .known = true, .in = 3),
		LINE("3-nines | {p99.9} | *", .name = "read", .known = true, .also = true, .in = 3),
		LINE("3-nines | {time} | {p99.9} | *", .name = "write", .known = true, .in = 3),
		LINE("4-nines | {p99.99} | *", .name = "read", .known = true, .also = true,
		     .in = 3),
		LINE("4-nines | {time} | {p99.99} | *", .name = "write", .known = true, .in = 3),
		LINE("max | {max} | *", .name = "read", .known = true, .also = true, .in = 3),
		LINE("max | {time} | {max} | *", .name = "write", .known = true, .in = 3)),
	.unit = UNIT_MS,
	.fixed_duration = true,
};

const struct format format_diskspd = {
	.name = "diskspd",
	.title = "reads and writes, as diskspd -L prints them",
	.versions = "2.1",
	.unit = "ms, always",
	.totals = "mean times calls, to 1 us",
	.line_marks = LINE_MARKS(
		{ .has = MARKS("thread |", "bytes", "I/Os", "I/O per s"), .score = PROBE_MAGIC }),
	.read = report_read,
	.spec = &diskspd,
};
