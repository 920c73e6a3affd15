/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * benchmark-js: what Benchmark.js prints of each benchmark.
 *
 *	RegExp#test x 4,161,532 ops/sec ±0.99% (59 runs sampled)
 *
 * A call is a sample, whose time is that of an operation.
 *
 * Seen: 2.1.4.
 */
#include "formats/report/report.h"

static const struct report_format benchmark_js = {
	.line = REPORT_LINES(
		LINE("{name} x {throughput} ops/{unit} ±{number}% ({calls} run* sampled)",
		     .begins = true)),
	.grouped = true,
	.fixed_duration = true,
};

const struct format format_benchmark_js = {
	.name = "benchmark-js",
	.title = "means of benchmarks, as Benchmark.js prints them",
	.versions = "2.1",
	.unit = "stated after each number",
	.totals = "samples by operations a second",
	.line_marks = LINE_MARKS(
		{ .line = "{name} x {throughput} ops/sec ±* sampled)", .score = PROBE_MAGIC }),
	.read = report_read,
	.spec = &benchmark_js,
};
