/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rtla-top: the table of rtla timerlat top.
 *
 *	                                     Timer Latency
 *	  0 00:00:01   |          IRQ Timer Latency (us)        |         Thread Timer Latency (us)
 *	CPU COUNT      |      cur       min       avg       max |      cur       min       avg max
 *	  0 #1000      |        1         0         1        21 |        8         5         7 58
 *
 * An operation is a processor, in the layers IRQ, thread and, with -u, user.  A table that is
 * printed again holds all since the start.
 *
 * Seen: in the documentation of Linux 6.1 to 6.11 and in posts.  Left out: the row ALL.
 */
#include "formats/report/report.h"

static const struct report_format rtla_top = {
	.line = REPORT_LINES(
		LINE("{number} {elapsed} | IRQ Timer Latency ({unit}) | Thread Timer *", .of = "",
		     .opens = 1),
		LINE("*| IRQ Timer Latency ({unit}) | Thread Timer Latency ({unit})*", .opens = 1),
		LINE("ALL *"),
		LINE("{name} #{calls} | {time} {min} {mean} {max} | *", .layer = "IRQ",
		     .also = true, .in = 1),
		LINE("{name} #{calls} | {time} {time} {time} {time} | {time} {min} {mean} {max} *",
		     .layer = "thread", .also = true, .in = 1),
		LINE("{name} #{calls} | {time} {time} {time} {time} | {time} {time} {time} {time} "
		     "| {time} {min} {mean} {max} *",
		     .layer = "user", .in = 1)),
	.fixed_duration = true,
	.repeated = REPEATED_LATEST,
};

const struct format format_rtla_top = {
	.name = "rtla-top",
	.title = "timer latencies, as rtla timerlat top prints them",
	.versions = "6.1",
	.unit = "stated",
	.totals = "mean times calls, to 1 us",
	.line_marks =
		LINE_MARKS({ .has = MARKS("Timer Latency"), .why = "no table of processors below" },
			   { .place = LINE_AFTER,
			     .has = MARKS("CPU COUNT", "cur", "min", "avg", "max"),
			     .score = PROBE_MAGIC }),
	.read = report_read,
	.spec = &rtla_top,
};
