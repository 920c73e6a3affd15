/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * xenomai: wakeup latencies, as latency of Xenomai and latmus of EVL print them.
 *
 *	RTT|  00:00:01  (periodic user-mode task, 100 us period, priority 99)
 *	RTH|----lat min|----lat avg|----lat max|-overrun|---msw|---lat best|--lat worst
 *	RTD|      1.393|      2.908|     21.765|       0|     0|      1.393|     21.765
 *	HSD|    avg|   1 -  2 |    4711
 *	RTS|      1.359|      2.990|    119.253|       2|     0|    00:01:00/00:01:00
 *
 * The line RTS is of the whole run; the number of calls follows from the duration and the period.
 * Rows avg of a histogram (-h) are of all calls.
 *
 * Seen: in posts of 2.6 and 3.0, and in the documentation of EVL.
 */
#include "formats/report/report.h"

static const struct report_format xenomai = {
	.line = REPORT_LINES(
		LINE("RTT|*(*, {period} period*", .of = ""),
		LINE("HSD| avg|{low} -{high} |{calls}", .name = "latency"),
		LINE("RTS|{min}|{mean}|{max}|{number}|{number}|{elapsed}/*", .name = "latency")),
	.unit = UNIT_US,
	.fixed_duration = true,
};

const struct format format_xenomai = {
	.name = "xenomai",
	.title = "wakeup latencies of Xenomai and EVL",
	.versions = "2.6, 3.0",
	.unit = "us, always",
	.totals = "mean times calls, to 1 ns",
	.line_marks =
		LINE_MARKS({ .has = MARKS("RTS|"), .score = PROBE_MARKS },
			   { .has = MARKS("RTH|", "lat min|"),
			     .why = "the run did not end: no line RTS, which is of all calls" }),
	.read = report_read,
	.spec = &xenomai,
};
