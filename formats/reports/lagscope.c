/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lagscope: round trips, as lagscope prints them.
 *
 *	lagscope 1.0.1
 *	01:13:26 INFO: Ping statistics for 10.0.0.4:
 *	01:13:26 INFO:    Number of successful Pings: 5000
 *	01:13:26 INFO:    Minimum = 31.500us, Maximum = 897.250us, Average = 45.863us
 *	Percentile       Latency(us)
 *	     50%         37
 *
 * A layer is the target; the operation is "ping".
 *
 * Seen: 1.0.1 in posts.
 */
#include "formats/report/report.h"

static const struct report_format lagscope = {
	.line = REPORT_LINES(LINE("*Ping statistics for {layer}:", .name = "ping", .begins = true),
			     LINE("*Number of successful Pings: {calls}"),
			     LINE("*Minimum = {min}, Maximum = {max}, Average = {mean}"),
			     LINE("Percentile Latency({unit})", .opens = 1),
			     LINE("{percent}% {value}", .in = 1)),
	.unit = UNIT_US,
};

const struct format format_lagscope = {
	.name = "lagscope",
	.title = "round trips, as lagscope prints them",
	.versions = "1.0.1",
	.unit = "stated",
	.totals = "mean times round trips",
	.line_marks = LINE_MARKS(
		{ .line = "*Number of successful Pings: {calls}", .score = PROBE_MAGIC }),
	.read = report_read,
	.spec = &lagscope,
};
