/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mtr: the report of mtr --report.
 *
 *	HOST: vm                          Loss%   Snt   Last   Avg  Best  Wrst StDev
 *	  1.|-- localhost                  0.0%     5    0.1   0.1   0.1   0.2   0.1
 *
 * The operation is the host of a hop; its calls are the packets that it answered.
 *
 * Seen: 0.95, and in posts from 0.75 on.
 */
#include "formats/report/report.h"

#define TIMES "{name} {loss}% {calls} {time} {mean} {min} {max} {deviation}"

static const struct report_format mtr = {
	.line = REPORT_LINES(LINE("*??? *"), LINE("{number}.|-- " TIMES, .begins = true),
			     LINE("{number}. " TIMES, .begins = true)),
	.unit = UNIT_MS,
	.repeated = REPEATED_ADDED,
};

const struct format format_mtr = {
	.name = "mtr",
	.title = "round trips to each hop, as mtr reports them",
	.versions = "0.75 to 0.95",
	.unit = "ms, always",
	.totals = "mean times answers, to 0.1 ms",
	.line_marks = LINE_MARKS(
		{ .has = MARKS("HOST: ", "Loss%", "Snt", "Wrst"), .score = PROBE_MAGIC }),
	.read = report_read,
	.spec = &mtr,
};
