/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * function-profile: calls and times of kernel functions, from the function profiler of ftrace,
 * trace_stat/function0 and so on below /sys/kernel/tracing.
 *
 *	  Function                               Hit    Time            Avg             s^2
 *	  --------                               ---    ----            ---             ---
 *	  vfs_read                               532    98231.04 us     184.645 us      20.310 us
 *
 * There is a file for each processor: consecutive tables are added up, and so are rows with the
 * same name: the kernel cuts names at 30 letters, and functions may share a name.  The name of
 * a function from a removed module is blank.  Times have seven digits, so from 10 ms on they are
 * less exact, down to 1 us.  There is no distribution.
 *
 * Seen: Linux 6.0, 6.1.  Not supported: tables of a kernel without the function graph tracer,
 * which has no times.
 */
#include "formats/report/report.h"

/* The name of a function from a removed module is blank. */
#define UNNAMED .name = "[unknown]", .begins = true

static const char row[] = "expected a function, how often it was hit, and times with their unit";

static const struct report_format function_profile = {
	.line = REPORT_LINES(
		LINE("Function Hit", .refuse = "needs `Time`, which kernels without the function "
					       "graph tracer do not have"),
		LINE("Function Hit Time Avg", .opens = 1),
		LINE("Function Hit Time Avg s^2", .opens = 2), LINE("==>*", .opens = 3),
		LINE("--------*"), LINE("", .in = 1), LINE("", .in = 2),
		LINE("{calls} {total} {unit} {time} {unit}", UNNAMED, .in = 1),
		LINE("{name} {calls} {total} {unit} {time} {unit}", .begins = true, .in = 1),
		LINE("*", .refuse = row, .in = 1),
		LINE("{calls} {total} {unit} {time} {unit} {time} {unit}", UNNAMED, .in = 2),
		LINE("{name} {calls} {total} {unit} {time} {unit} {time} {unit}", .begins = true,
		     .in = 2),
		LINE("*", .refuse = row, .in = 2)),
	.unit = UNIT_US,
	.kept = UNIT_NS,
	.repeated = REPEATED_ADDED,
};

const struct format format_function_profile = {
	.name = "function-profile",
	.title = "the kernel's function profiler: calls and totals only",
	.versions = "Linux 6.0, 6.1",
	.unit = "stated after each number",
	.totals = "exact below 10 ms, else cut off to seven digits",
	.line_marks =
		LINE_MARKS({ .line = "Function Hit*", .why = "no rule under the head" },
			   { .place = LINE_BELOW, .line = "--------*", .score = PROBE_MAGIC }),
	.read = report_read,
	.spec = &function_profile,
};
