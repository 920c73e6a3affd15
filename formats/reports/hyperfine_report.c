/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hyperfine-report: what hyperfine prints.
 *
 *	Benchmark 1: sleep 0.01
 *	  Time (mean ± σ):      13.4 ms ±   2.1 ms    [User: 1.0 ms, System: 0.2 ms]
 *	  Range (min … max):    11.2 ms …  19.0 ms    20 runs
 *
 * An operation is a command, or the name given by -n.  A single run has "Time (abs ≡)" and no
 * range.
 *
 * Seen: 1.15.
 */
#include "formats/report/report.h"

static const struct report_format hyperfine_report = {
	.line = REPORT_LINES(LINE("Benchmark {number}: {name}", .begins = true),
			     LINE("Benchmark #{number}: {name}", .begins = true),
			     LINE("Time (abs*): {mean} [User*", .calls = 1),
			     LINE("Time (abs*): {mean}", .calls = 1),
			     LINE("Time (*): {mean} * {deviation} [User*"),
			     LINE("Time (*): {mean} * {deviation}"),
			     LINE("Range (*): {min} … {max} {calls} runs"),
			     LINE("Range (*): {min} ... {max} {calls} runs")),
	.fixed_duration = true,
};

const struct format format_hyperfine_report = {
	.name = "hyperfine-report",
	.title = "run times of commands, as hyperfine prints them",
	.versions = "1.15",
	.unit = "stated after each number",
	.totals = "mean times runs, to the digits of the mean",
	.line_marks = LINE_MARKS(
		{ .has = MARKS("Benchmark ", ": "), .why = "no mean and range below it" },
		{ .place = LINE_AFTER, .has = MARKS("Time (", "):"), .score = PROBE_MAGIC }),
	.read = report_read,
	.spec = &hyperfine_report,
};
