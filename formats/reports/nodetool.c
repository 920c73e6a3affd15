/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nodetool: latencies of Cassandra, as nodetool cfhistograms of versions before 2.1 and nodetool
 * tablestats print them.
 *
 *	Offset      SSTables     Write Latency      Read Latency          Row Size      Column Count
 *	35                 0                 3                11                 0                 0
 *
 *	Read Latency (microseconds)
 *	  103 us: 1
 *	  124 us: 15
 *
 *	Table: users
 *	Local read count: 1000
 *	Local read latency: 0.345 ms
 *
 * A row of a histogram has the requests up to its time, from 1/1.2 of it on.  Operations are "read"
 * and "write", of tablestats "users/read".  Later versions of cfhistograms print percentiles
 * without numbers of requests.
 *
 * Seen: in posts, and in the source of 1.2, 2.0 and 4.0.
 */
#include "formats/report/report.h"

static const struct report_format nodetool = {
	.line = REPORT_LINES(
		LINE("Offset SSTables Write Latency Read Latency *", .opens = 1),
		LINE("{high} {number} {calls} {number} {number} {number}", .name = "write",
		     .also = true, .in = 1),
		LINE("{high} {number} {number} {calls} {number} {number}", .name = "read", .in = 1),
		LINE("Read Latency (*)", .name = "read", .begins = true, .opens = 2),
		LINE("Write Latency (*)", .name = "write", .begins = true, .opens = 2),
		LINE("SSTables per Read*", .opens = 3), LINE("Partition Size (*", .opens = 3),
		LINE("Row Size (*", .opens = 3), LINE("{high}: {calls}", .in = 2),
		LINE("Table: {group}"), LINE("Table (index): {group}"),
		LINE("Column Family: {group}"), LINE("Local read count: {calls}", .name = "read"),
		LINE("Local read latency: {mean}", .name = "read"),
		LINE("Local write count: {calls}", .name = "write"),
		LINE("Local write latency: {mean}", .name = "write")),
	.unit = UNIT_US,
	.headings = true,
	.ratio = 1.2,
};

const struct format format_nodetool = {
	.name = "nodetool",
	.title = "requests of tables of Cassandra",
	.versions = "1.2, 2.0, 4.0",
	.unit = "us, or stated after each number",
	.totals = "mean times requests, or from the buckets",
	.line_marks =
		LINE_MARKS({ .has = MARKS("Offset ", "SSTables", "Write Latency", "Read Latency"),
			     .score = PROBE_MAGIC },
			   { .has = MARKS("Read Latency (micro"), .score = PROBE_MARKS },
			   { .has = MARKS("Write Latency (micro"), .score = PROBE_MARKS },
			   { .has = MARKS("Local read count:"), .score = PROBE_MARKS }),
	.read = report_read,
	.spec = &nodetool,
};
