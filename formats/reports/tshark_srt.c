/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tshark-srt: service response times of a protocol's procedures, from tshark -z PROTOCOL,srt.
 *
 *	===================================================================
 *	SMB2 SRT Statistics:
 *	Filter: smb2.cmd
 *	Index  Commands               Calls    Min SRT    Max SRT    Avg SRT    Sum SRT
 *	    0  Negotiate Protocol         1   0.021214   0.021214   0.021214   0.021214
 *	==================================================================
 *
 * Times are in seconds from a request to its response, truncated to 1 us.  With several tables,
 * the field that selects the procedures is the layer; rows of the same name are added up.  A
 * second table of the same field is an error, because it may count the same calls with another
 * filter.  No distribution.
 *
 * Seen: tshark 4.0.
 */
#include "formats/report/report.h"

static const char row[] = "expected an index, a procedure, calls and four times";

static const struct report_format tshark_srt = {
	.line = REPORT_LINES(
		LINE("{layer} SRT Statistics:"), LINE("Filter: {layer}", .once = true),
		LINE("Index * Calls Min SRT Max SRT Avg SRT Sum SRT", .opens = 1,
		     .unfinished = "no line of = after the procedures"),
		LINE("", .in = 1, .opens = 2), LINE("====*", .in = 1, .opens = 2),
		LINE("{number} {name} {calls} {min} {max} {time} {total}", .begins = true, .in = 1),
		LINE("*", .refuse = row, .in = 1)),
	.unit = UNIT_S,
	.repeated = REPEATED_ADDED,
};

const struct format format_tshark_srt = {
	.name = "tshark-srt",
	.title = "tshark -z PROTOCOL,srt: calls and totals only",
	.versions = "tshark 4.0",
	.unit = "seconds, always",
	.totals = "exact, cut off to 1 us",
	.line_marks = LINE_MARKS({ .line = "{name} SRT Statistics:", .why = "no table of calls" },
				 { .place = LINE_AFTER,
				   .line = "Index * Calls Min SRT Max SRT Avg SRT Sum SRT",
				   .score = PROBE_MAGIC }),
	.read = report_read,
	.spec = &tshark_srt,
};
