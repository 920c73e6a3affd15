/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * netperf: results of netperf's request/response tests.
 *
 *	Local /Remote
 *	Socket Size   Request  Resp.   Elapsed  Trans.
 *	Send   Recv   Size     Size    Time     Rate
 *	bytes  Bytes  bytes    bytes   secs.    per sec
 *	16384  131072 1        1       10.00    24541.53
 *
 * and of -k, whose keys are chosen by the user: MEAN_LATENCY, P99_LATENCY ... in us.
 *
 * The operation is "transaction".  A transaction follows the one before, so that the mean is the
 * time divided by their number, which is the rate times the time.
 *
 * Seen: in the documentation of 2.7, and in posts.
 */
#include "formats/report/report.h"

static const struct report_format netperf = {
	.line = REPORT_LINES(
		LINE("bytes Bytes bytes bytes secs. per sec*", .opens = 1, .run = true),
		LINE("{number} {number} {number} {number} {elapsed} {rate}", .in = 1),
		LINE("ELAPSED_TIME={elapsed}"), LINE("TRANSACTION_RATE={rate}"),
		LINE("MIN_LATENCY={min}"), LINE("MEAN_LATENCY={mean}"), LINE("MAX_LATENCY={max}"),
		LINE("STDDEV_LATENCY={deviation}"), LINE("P{percent}_LATENCY={value}")),
	.name = "transaction",
	.unit = UNIT_US,
	.one_at_a_time = true,
};

const struct format format_netperf = {
	.name = "netperf",
	.title = "transactions, as netperf prints them",
	.versions = "2.7",
	.unit = "us, or from the rate",
	.totals = "elapsed time, or mean times transactions",
	.line_marks = LINE_MARKS({ .has = MARKS("bytes", "Bytes", "bytes", "secs.", "per sec"),
				   .score = PROBE_MAGIC },
				 { .has = MARKS("MEAN_LATENCY="), .score = PROBE_MAGIC }),
	.read = report_read,
	.spec = &netperf,
};
