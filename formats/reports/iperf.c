/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * iperf: one-way latencies of iperf 2 (-e, with --trip-times).
 *
 *	[ ID] Interval            Transfer     Bandwidth        Jitter   Lost/Total ...
 *	[  1] 0.0000-2.0229 sec   250 KBytes  1.01 Mbits/sec   0.004 ms 0/174 (0%)
 *	          0.028/0.003/0.071/0.006 ms 86 pps
 *
 * The operation is "packet".  Of lines from the beginning the last is read, which is of the whole
 * test; lines of a second begin later.
 *
 * Seen: 2.1.8.
 */
#include "formats/report/report.h"

static const struct report_format iperf = {
	.line = REPORT_LINES(LINE("[*] 0.0*-{elapsed} * {failed}/{calls} (*%) "
				  "{mean}/{min}/{max}/{deviation} {unit} *",
				  .name = "packet", .begins = true),
			     LINE("[*] 0.0*-{elapsed} * {mean}/{min}/{max}/{deviation} {unit} "
				  "({calls}/{number})*",
				  .name = "burst", .begins = true)),
	.unit = UNIT_MS,
	.repeated = REPEATED_LATEST,
};

const struct format format_iperf = {
	.name = "iperf",
	.title = "latencies of packets, as iperf 2 prints them",
	.versions = "2.1.8",
	.unit = "stated",
	.totals = "mean times packets, to 1 us",
	.line_marks = LINE_MARKS({ .has = MARKS("[ ID] Interval", "Latency avg/min/max/stdev"),
				   .score = PROBE_MAGIC },
				 { .has = MARKS("[ ID] Interval", "Transfer"),
				   .why = "no latencies: iperf 2 has them with -e and "
					  "--trip-times, on the receiving side" }),
	.read = report_read,
	.spec = &iperf,
};
