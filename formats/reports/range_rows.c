/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * range-rows: histograms whose rows have both bounds and their unit, as xdp-project's netstacklat
 * and other programs with ebpf-exporter's buckets print them, and SPDK's histogram.py.
 *
 *	tcp-socket-read:
 *	     (19.5us, 21.2us]       12 |@@@@                |
 *	    8.178 -     8.237:    0.0012%  (        1)
 *
 * The operation is the line above the rows that ends with a colon.  Rows of SPDK are in us.
 *
 * Seen: in posts.
 */
#include "formats/report/report.h"

static bool is_range(struct str line)
{
	struct captures c;

	return template_match("({low}, {high}] {calls} *", line, false, &c) &&
	       c.of[0].value.ns > 0 && c.of[1].value.ns > 0;
}

static const struct report_format range_rows = {
	.line = REPORT_LINES(
		LINE("{name}:", .begins = true),
		LINE("Range in {unit} Cumulative IO count", .begins = true, .name = "latency"),
		LINE("({low}, {high}] {calls} *"), LINE("[{low}, {high}) {calls} *"),
		LINE("({low}, {high}] {calls}"), LINE("{low} - {high}: {number}% ( {calls})"),
		LINE("{low} - {high}: {number}% ({calls})")),
	.unit = UNIT_US,
	.headings = true,
};

const struct format format_range_rows = {
	.name = "range-rows",
	.title = "histograms with rows such as (19.5us, 21.2us]",
	.versions = "netstacklat, SPDK",
	.unit = "stated in each row",
	.totals = "from the buckets",
	.line_marks = LINE_MARKS(
		{ .is = is_range, .score = PROBE_SHAPE },
		{ .has = MARKS("Range in us", "Cumulative", "IO count"), .score = PROBE_MAGIC }),
	.read = report_read,
	.spec = &range_rows,
};
