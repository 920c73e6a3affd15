/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * libtest: benchmarks of Rust's own test harness, cargo bench.
 *
 *	test parse ... bench:       1,234 ns/iter (+/- 56)
 *
 * libtest takes 50 samples of each benchmark and prints their median, which is read as the mean of
 * 50 calls.  What follows it is the difference of the extremes.
 *
 * Seen: in posts, and in the source of Rust 1.78.
 */
#include "formats/report/report.h"

static const struct report_format libtest = {
	.line = REPORT_LINES(LINE("test {name} ... bench: {mean}/iter (+/- {number})*",
				  .begins = true, .calls = 50)),
	.grouped = true,
	.fixed_duration = true,
};

const struct format format_libtest = {
	.name = "libtest",
	.title = "medians of benchmarks, as cargo bench prints them",
	.versions = "Rust 1.78",
	.unit = "stated",
	.totals = "median times samples",
	.line_marks = LINE_MARKS(
		{ .has = MARKS("test ", "... bench:", "ns/iter (+/-"), .score = PROBE_MAGIC }),
	.read = report_read,
	.spec = &libtest,
};
