/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * benchmarktools: trials that BenchmarkTools.jl prints.
 *
 *	BenchmarkTools.Trial: 10000 samples with 999 evaluations.
 *	 Range (min … max):  8.874 ns …  1.2 μs   ┊ GC (min … max): 0.00% … 0.00%
 *	 Time  (median):     9.125 ns             ┊ GC (median):    0.00%
 *	 Time  (mean ± σ):   9.5 ns ± 12.3 ns     ┊ GC (mean ± σ):  0.00% ± 0.00%
 *
 * and, before 1.0, "minimum time:  13.6 ms (0.00% GC)" ... "samples: 331".
 *
 * The operation is "benchmark"; a call is a sample, the mean of its evaluations.
 *
 * Seen: in the documentation of 1.0 and 0.4, and in posts.
 */
#include "formats/report/report.h"

static const struct report_format benchmarktools = {
	.line = REPORT_LINES(LINE("BenchmarkTools.Trial: {calls} sample* with {number} evaluation*",
				  .begins = true),
			     LINE("BenchmarkTools.Trial:", .begins = true),
			     LINE("Range (*): {min} … {max} *"), LINE("Time (median): {p50} *"),
			     LINE("Time (mean*): {mean} ± {deviation} *"),
			     LINE("minimum time: {min} (*"), LINE("median time: {p50} (*"),
			     LINE("mean time: {mean} (*"), LINE("maximum time: {max} (*"),
			     LINE("samples: {calls}")),
	.name = "benchmark",
	.fixed_duration = true,
};

const struct format format_benchmarktools = {
	.name = "benchmarktools",
	.title = "trials, as BenchmarkTools.jl prints them",
	.versions = "0.4, 1.0",
	.unit = "stated after each number",
	.totals = "mean times samples",
	.line_marks = LINE_MARKS({ .has = MARKS("BenchmarkTools.Trial:"), .score = PROBE_MAGIC }),
	.read = report_read,
	.spec = &benchmarktools,
};
