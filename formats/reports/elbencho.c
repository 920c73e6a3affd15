/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * elbencho: the results of elbencho --lat, --latpercent and --lathisto.
 *
 *	OPERATION   RESULT TYPE         FIRST DONE   LAST DONE
 *	WRITE       Elapsed time     :      1.204s      1.211s
 *	            IO latency       : [ min=22us avg=104us max=1.20ms ]
 *	            IO lat hist      : [ 26: 3, 32: 812, 45: 12 ]
 *
 * An operation is a phase, "WRITE/IO" or "WRITE/Ent".  A number of calls is only in a histogram, whose
 * labels are upper edges in us, four for each power of two; empty buckets are not printed.
 *
 * Seen: in the source of 3.1.
 */
#include "formats/report/report.h"

static bool is_phase(struct str line)
{
	return str_contains(line, STR(" latency")) && str_contains(line, STR(": [ min="));
}

static const struct report_format elbencho = {
	.line = REPORT_LINES(LINE("OPERATION RESULT TYPE *", .run = true),
			     LINE("{group} Elapsed time : *"),
			     LINE("{name} latency : [ min={min} avg={mean} max={max} ]"),
			     LINE("{name} lat hist : [ ~{high}: {calls}, ")),
	.unit = UNIT_US,
	.omit_uncounted = true,
	.ratio = 1.189207115002721 /* 2^(1/4) */,
};

const struct format format_elbencho = {
	.name = "elbencho",
	.title = "latencies of phases, as elbencho prints them",
	.versions = "3.1",
	.unit = "us, or stated",
	.totals = "mean times calls, to 1 us",
	.line_marks = LINE_MARKS({ .is = is_phase, .score = PROBE_MARKS }),
	.read = report_read,
	.spec = &elbencho,
};
