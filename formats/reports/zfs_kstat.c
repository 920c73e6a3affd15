/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * zfs-kstat: histograms of ZFS on Linux, below /proc/spl/kstat/zfs/POOL, such as dmu_tx_assign.
 *
 *	26 1 0x01 32 1536 8193012 2431234012
 *	name                            type data
 *	1 ns                            4    0
 *	2048 ns                         4    117
 *
 * A row has the calls up to its time, from half of it on.
 *
 * Seen: in the source of 0.8 and 2.1, and in posts.
 */
#include "formats/report/report.h"

static bool is_bucket(struct str line)
{
	struct captures c;

	return template_match("{high} 4 {calls}", line, false, &c) && c.of[0].value.ns > 0;
}

static const struct report_format zfs_kstat = {
	.line = REPORT_LINES(LINE("name type data", .begins = true, .name = "latency", .opens = 1),
			     LINE("{high} 4 {calls}", .in = 1)),
	.unit = UNIT_NS,
	.headings = true,
	.ratio = 2,
};

const struct format format_zfs_kstat = {
	.name = "zfs-kstat",
	.title = "histograms of ZFS, from its kstats",
	.versions = "0.8, 2.1",
	.unit = "stated in each row",
	.totals = "from the buckets",
	.line_marks = LINE_MARKS(
		{ .has = MARKS("name ", "type ", "data"), .why = "no row with a unit of time" },
		{ .place = LINE_AFTER, .is = is_bucket, .score = PROBE_MAGIC }),
	.read = report_read,
	.spec = &zfs_kstat,
};
