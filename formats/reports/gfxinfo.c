/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gfxinfo: frames of an app of Android, from dumpsys gfxinfo.
 *
 *	** Graphics info for pid 4321 [com.example.app] **
 *	Total frames rendered: 109
 *	HISTOGRAM: 5ms=106 6ms=0 7ms=2 8ms=1
 *	GPU HISTOGRAM: 1ms=90 2ms=19
 *
 * A count is that of frames from its time to the next; the first has all below it.  Operations are
 * "com.example.app/frame" and "com.example.app/gpu".  Windows are parts of their app, and are read
 * where there is no app.
 *
 * Seen: in posts of Android 8 to 14.
 */
#include "formats/report/report.h"

static const struct report_format gfxinfo = {
	.line = REPORT_LINES(LINE("**** Graphics info for pid {number} [{group}] ****", .opens = 1),
			     LINE("Window: *", .in = 1, .opens = 2), LINE("Window: *", .in = 2),
			     LINE("Window: {group}"), LINE("HISTOGRAM: *", .in = 2),
			     LINE("GPU HISTOGRAM: *", .in = 2),
			     LINE("HISTOGRAM: ~{low}={calls} ", .name = "frame", .begins = true),
			     LINE("GPU HISTOGRAM: ~{low}={calls} ", .name = "gpu", .begins = true)),
	.unit = UNIT_MS,
	.headings = true,
	.from_zero = true,
};

const struct format format_gfxinfo = {
	.name = "gfxinfo",
	.title = "frames of apps of Android",
	.versions = "Android 8 to 14",
	.unit = "stated after each number",
	.totals = "from the buckets",
	.line_marks = LINE_MARKS({ .has = MARKS("HISTOGRAM: ", "ms="), .score = PROBE_MAGIC }),
	.read = report_read,
	.spec = &gfxinfo,
};
