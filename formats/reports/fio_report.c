/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fio-report: the report that fio prints without --output-format.
 *
 *	mail: (groupid=0, jobs=1): err= 0: pid=29689: Fri Nov 27 03:17:15 2026
 *	  read: IOPS=6389, BW=25.0MiB/s (26.2MB/s)(50.1MiB/2006msec)
 *	    clat (usec): min=29, max=18467, avg=115.28, stdev=638.87
 *	    clat percentiles (usec):
 *	     |  1.00th=[   33],  5.00th=[   38], 10.00th=[   40],
 *	  lat (usec)   : 4=11.25%, 10=35.85%
 *	     issued rwts: total=12817,12821,0,0 short=0,0,0,0 dropped=0,0,0,0
 *
 * An operation is "mail/read", as from its JSON.  Shares of latencies are of all directions of the
 * job together, so they are read only where there is one and it has no percentiles.
 *
 * Seen: 3.33; before 3.0 from posts.  Left out: slat and lat; percentiles of them.
 */
#include "formats/report/report.h"

static const struct report_format fio_report = {
	.line = REPORT_LINES(
		LINE("fio-*", .run = true),
		LINE("{group}: (groupid={number}, jobs={number}): err=*"),
		LINE("read*: *(*/{elapsed})*", .name = "read", .begins = true),
		LINE("write*: *(*/{elapsed})*", .name = "write", .begins = true),
		LINE("trim*: *(*/{elapsed})*", .name = "trim", .begins = true),
		LINE("read*: io=*runt={elapsed}", .name = "read", .begins = true),
		LINE("write*: io=*runt={elapsed}", .name = "write", .begins = true),
		LINE("fsync/fdatasync/sync_file_range:", .name = "sync", .begins = true),
		LINE("sync ({unit}): min={min}, max={max}, avg={mean}, stdev={deviation}"),
		LINE("sync percentiles ({unit}):", .opens = 1),
		LINE("clat ({unit}): min={min}, max={max}, avg={mean}, stdev={deviation}"),
		LINE("clat percentiles ({unit}):", .opens = 1),
		LINE("lat percentiles ({unit}):", .opens = 2),
		LINE("slat percentiles ({unit}):", .opens = 2),
		LINE("| ~{percent}th=[{value}],", .in = 1),
		LINE("lat ({unit}) : ~{high}={share}%,*", .lone = true),
		LINE("issued rwt*: total={calls},*", .name = "read", .known = true, .also = true),
		LINE("issued rwt*: total={number},{calls},*", .name = "write", .known = true,
		     .also = true),
		LINE("issued rwt*: total={number},{number},{calls},*", .name = "trim",
		     .known = true, .also = true),
		LINE("issued rwt*: total={number},{number},{number},{calls} *", .name = "sync",
		     .known = true),
		LINE("issued*: total=r={calls}/*", .name = "read", .known = true, .also = true),
		LINE("issued*: total=r={number}/w={calls}/*", .name = "write", .known = true)),
};

const struct format format_fio_report = {
	.name = "fio-report",
	.title = "latencies of jobs, as fio prints them",
	.versions = "2.1 to 3.33",
	.unit = "stated in each line",
	.totals = "mean times calls, to the digits of the mean",
	.line_marks = LINE_MARKS(
		{ .has = MARKS("clat (", "min=", "max=", "avg=", "stdev="), .score = PROBE_MARKS },
		{ .has = MARKS("issued ", ": total="), .score = PROBE_MARKS }),
	.read = report_read,
	.spec = &fio_report,
};
