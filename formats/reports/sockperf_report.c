/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sockperf-report: the report of sockperf.
 *
 *	sockperf: [Valid Duration] RunTime=0.550 sec; SentMessages=7665; ReceivedMessages=7665
 *	sockperf: ====> avg-latency=35.853 (std-dev=190.462)
 *	sockperf: Total 7665 observations; each percentile contains 76.65 observations
 *	sockperf: ---> <MAX> observation = 7099.183
 *	sockperf: ---> percentile 99.999 = 7099.183
 *	sockperf: ---> <MIN> observation =    8.751
 *
 * The operation is "latency", half of the time from sending to receiving, or "rtt", all of it.
 *
 * Seen: 3.7.
 */
#include "formats/report/report.h"

static const struct report_format sockperf_report = {
	.line = REPORT_LINES(
		LINE("sockperf: [Valid Duration] RunTime={elapsed};*", .of = ""),
		LINE("sockperf: ====> avg-lat={mean} (std-dev={deviation}*", .name = "latency",
		     .begins = true),
		LINE("sockperf: ====> avg-{name}={mean} (std-dev={deviation}*", .begins = true),
		LINE("sockperf: Total {calls} observations*"),
		LINE("sockperf: ---> <MAX> observation = {max}"),
		LINE("sockperf: ---> <MIN> observation = {min}"),
		LINE("sockperf: ---> percentile {percent} = {value}")),
	.unit = UNIT_US,
};

const struct format format_sockperf_report = {
	.name = "sockperf-report",
	.title = "percentiles of messages, as sockperf prints them",
	.versions = "3.7",
	.unit = "us, always",
	.totals = "mean times messages, to 1 ns",
	.line_marks = LINE_MARKS({ .has = MARKS("sockperf: --->"), .score = PROBE_MARKS }),
	.read = report_read,
	.spec = &sockperf_report,
};
