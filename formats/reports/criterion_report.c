/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * criterion-report: what Criterion.rs prints.
 *
 *	fib 20                  time:   [24.574 µs 24.690 µs 24.822 µs]
 *	Found 3 outliers among 100 measurements (3.00%)
 *
 * The second number is the mean, the others are its confidence interval.  Where the number of
 * samples is not printed, it is 100, Criterion's default, with a note.
 *
 * Seen: in the documentation of 0.5, and in posts.
 */
#include "formats/report/report.h"

static bool is_result(struct str line)
{
	struct captures ignored;

	return template_match("{name} time: [{time} {mean} {time}]", line, false, &ignored);
}

static const struct report_format criterion_report = {
	.line = REPORT_LINES(LINE("{name} time: [{time} {mean} {time}]", .begins = true,
				  .calls = 100, .rounded = true),
			     LINE("Benchmarking {name}: Collecting {calls} samples *", .of = ""),
			     LINE("Found {number} outliers among {calls} measurements *")),
	.fixed_duration = true,
};

const struct format format_criterion_report = {
	.name = "criterion-report",
	.title = "means of benchmarks, as Criterion.rs prints them",
	.versions = "0.5",
	.unit = "stated after each number",
	.totals = "mean times samples",
	.line_marks = LINE_MARKS({ .has = MARKS("time:   [", "]"), .score = PROBE_SHAPE },
				 { .is = is_result, .score = PROBE_MARKS }),
	.read = report_read,
	.spec = &criterion_report,
};
