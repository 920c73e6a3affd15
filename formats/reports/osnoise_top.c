/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * osnoise-top: the table of rtla osnoise top.
 *
 *	                                         Operating System Noise
 *	duration:   0 00:01:00 | time is in us
 *	CPU Period       Runtime        Noise  % CPU Aval   Max Noise   Max Single          HW
 *	  0 #58         52200000         1031    99.99802          91           60           0
 *
 * An operation is a processor, and a call one period of measuring: the total is the noise, the
 * maximum that of a period.  A table that is printed again holds all since the start.
 *
 * Seen: Linux 6.1.
 */
#include "formats/report/report.h"

static const struct report_format osnoise_top = {
	.line = REPORT_LINES(
		LINE("duration: {number} {elapsed} | time is in {unit}", .of = ""),
		LINE("CPU Period Runtime Noise % CPU Aval *", .opens = 1), LINE("ALL *"),
		LINE("{name} #{calls} {time} {total} {number} {max} {time} *", .in = 1)),
	.unit = UNIT_US,
	.fixed_duration = true,
	.repeated = REPEATED_LATEST,
};

const struct format format_osnoise_top = {
	.name = "osnoise-top",
	.title = "noise of processors, as rtla osnoise top prints it",
	.versions = "Linux 6.1",
	.unit = "us, always",
	.totals = "as printed",
	.line_marks = LINE_MARKS({ .has = MARKS("CPU Period", "Runtime", "Noise", "Max Noise"),
				   .score = PROBE_MAGIC }),
	.read = report_read,
	.spec = &osnoise_top,
};
