/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * jmh-report: the table that JMH prints at its end.
 *
 *	Benchmark                       (size)  Mode  Cnt     Score     Error  Units
 *	ListBench.addAll                   100  avgt   10   123.456 ±   4.321  ns/op
 *	MyBenchmark.m                         thrpt   25  3803.109 ±  19.264  ops/s
 *	MyBenchmark.m                        sample 1998     0.025 ±   0.001  ms/op
 *	MyBenchmark.m:m·p0.50                sample          0.024            ms/op
 *
 * The operation is a benchmark with its parameters, a call is one of its iterations or, in mode
 * sample, of its samples.  In mode thrpt, the mean follows from the throughput and the threads,
 * which are stated above the table.  Error, an interval of confidence, is not read.
 *
 * Seen: in the documentation of 1.37, and in posts from 1.0 on.
 */
#include "formats/report/report.h"

#define POINT(number, field) LINE("{name}:*p" number " sample " field " {unit}/op", .known = true)
#define MODE(mode)                                                                                 \
	LINE("{name} " mode " {calls} {mean} ± {number} {unit}/op", .begins = true),               \
		LINE("{name} " mode " {calls} {mean} {number} {unit}/op", .begins = true),         \
		LINE("{name} " mode " {mean} {unit}/op", .begins = true, .calls = 1)

static const struct report_format jmh_report = {
	.line = REPORT_LINES(
		LINE("# Threads: {clients} thread*"), POINT("0.00", "{min}"),
		POINT("0.50", "{p50}"), POINT("0.90", "{p90}"), POINT("0.95", "{p95}"),
		POINT("0.99", "{p99}"), POINT("0.999", "{p99.9}"), POINT("0.9999", "{p99.99}"),
		POINT("1.00", "{max}"), MODE("avgt"), MODE("sample"), MODE("ss"),
		LINE("{name} thrpt {calls} {throughput} ± {number} ops/{unit}", .begins = true),
		LINE("{name} thrpt {calls} {throughput} {number} ops/{unit}", .begins = true),
		LINE("{name} thrpt {throughput} ops/{unit}", .begins = true, .calls = 1)),
	.fixed_duration = true,
};

const struct format format_jmh_report = {
	.name = "jmh-report",
	.title = "means of benchmarks, as JMH prints them",
	.versions = "1.0 to 1.37",
	.unit = "stated",
	.totals = "mean times iterations or samples",
	.line_marks = LINE_MARKS(
		{ .has = MARKS("Benchmark ", "Mode ", " Score", " Units"), .score = PROBE_MAGIC }),
	.read = report_read,
	.spec = &jmh_report,
};
