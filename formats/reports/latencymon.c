/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * latencymon: the report of LatencyMon for Windows.
 *
 *	CPU 0 ISR highest execution time (µs):                123,40
 *	CPU 0 ISR total execution time (s):                   0,8123
 *	CPU 0 ISR count:                                      45671
 *	CPU 0 DPC highest execution time (µs):                532,10
 *
 * An operation is a processor, in the layers ISR and DPC.  Numbers are those of the user's
 * language.
 *
 * Seen: in posts of 6.7 and 7.0.
 */
#include "formats/report/report.h"

static const struct report_format latencymon = {
	.line = REPORT_LINES(
		LINE("CPU {name} ISR highest execution time ({unit}): {max}", .layer = "ISR"),
		LINE("CPU {name} ISR total execution time ({unit}): {total}", .layer = "ISR"),
		LINE("CPU {name} ISR count: {calls}", .layer = "ISR"),
		LINE("CPU {name} DPC highest execution time ({unit}): {max}", .layer = "DPC"),
		LINE("CPU {name} DPC total execution time ({unit}): {total}", .layer = "DPC"),
		LINE("CPU {name} DPC count: {calls}", .layer = "DPC")),
};

const struct format format_latencymon = {
	.name = "latencymon",
	.title = "execution times of interrupt and deferred routines",
	.versions = "6.7, 7.0",
	.unit = "stated",
	.totals = "as printed",
	.line_marks = LINE_MARKS({ .has = MARKS("CPU ", " ISR count:"), .score = PROBE_MAGIC }),
	.read = report_read,
	.spec = &latencymon,
};
