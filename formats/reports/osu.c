/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * osu: latencies of collectives of MPI, as the OSU Micro-Benchmarks print them with -f.
 *
 *	# OSU MPI Allreduce Latency Test v7.3
 *	# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations
 *	8                       2.75              2.51              3.02       10000
 *
 * The operation is the test and the size of a message in bytes: "Allreduce/8".  The extremes are
 * those of the means of processes, not of calls, and are left out.
 *
 * Seen: in posts, 5.6 and 7.3.  Refused: without -f, which have no numbers of iterations.
 */
#include "formats/report/report.h"

static const struct report_format osu = {
	.line = REPORT_LINES(
		LINE("# OSU MPI-* {group} Latency Test*"), LINE("# OSU MPI {group} Latency Test*"),
		LINE("# Size Avg Latency({unit}) Min Latency(*) Max Latency(*) Iterations*",
		     .opens = 1),
		LINE("# Avg Latency({unit}) Min Latency(*) Max Latency(*) Iterations*", .opens = 2),
		LINE("#*"), LINE("{name} {mean} {time} {time} {calls}", .begins = true, .in = 1),
		LINE("{mean} {time} {time} {calls}", .name = "all", .begins = true, .in = 2)),
	.unit = UNIT_US,
};

const struct format format_osu = {
	.name = "osu",
	.title = "collectives of MPI, as the OSU Micro-Benchmarks print them",
	.versions = "5.6, 7.3",
	.unit = "stated in the head",
	.totals = "mean times iterations, to 0.01 us",
	.line_marks = LINE_MARKS({ .has = MARKS("# ", "Avg Latency(", "Min Latency(", "Iterations"),
				   .score = PROBE_MAGIC }),
	.read = report_read,
	.spec = &osu,
};
