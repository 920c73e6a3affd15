/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * artillery: the summary that Artillery prints at its end.
 *
 *	Summary report @ 14:53:36(+0100)
 *	http.response_time:
 *	  min: ...................................... 0
 *	  median: ................................... 1
 *	  p99: ...................................... 5
 *	http.responses: ............................. 300
 *
 * and, in 1.x, "Requests completed:  50" and "Response time (msec):".
 *
 * The operation is "response".  Reports of periods are left out.
 *
 * Seen: in posts and the documentation of 1.6 to 2.0.
 */
#include "formats/report/report.h"

enum { PERIOD, SUMMARY, TIMES };

static bool heads_times(struct str line)
{
	return str_eq(line, STR("http.response_time:")) ||
	       str_eq(line, STR("Response time (msec):"));
}

static const struct report_format artillery = {
	.line = REPORT_LINES(LINE("Summary report @ *", .opens = SUMMARY, .run = true),
			     LINE("All virtual users finished"),
			     LINE("Requests completed: {calls}", .name = "response", .in = SUMMARY),
			     LINE("Response time (msec):", .in = SUMMARY, .opens = TIMES),
			     LINE("http.response_time:", .in = SUMMARY, .name = "response",
				  .begins = true, .opens = TIMES),
			     LINE("min: *{min}", .in = TIMES), LINE("max: *{max}", .in = TIMES),
			     LINE("mean: *{mean}", .in = TIMES),
			     LINE("median: *{p50}", .in = TIMES), LINE("p95: *{p95}", .in = TIMES),
			     LINE("p99: *{p99}", .in = TIMES),
			     LINE("http.responses: *{calls}", .in = TIMES, .opens = SUMMARY),
			     LINE("http.responses: *{calls}", .in = SUMMARY, .name = "response"),
			     LINE("*:", .in = TIMES, .opens = SUMMARY)),
	.unit = UNIT_MS,
};

const struct format format_artillery = {
	.name = "artillery",
	.title = "responses, as Artillery prints their summary",
	.versions = "1.6 to 2.0",
	.unit = "ms, always",
	.totals = "mean times responses; before 2.0.24 no mean is printed",
	.line_marks =
		LINE_MARKS({ .line = "Summary report @ *", .why = "no times of responses in it" },
			   { .place = LINE_AFTER, .is = heads_times, .score = PROBE_MAGIC }),
	.read = report_read,
	.spec = &artillery,
};
