/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * px4-perf: counters of the autopilot PX4, from its command perf.
 *
 *	vehicle_imu: gyro update: 12345 events, 123456us elapsed, 10.00us avg, min 5us max 120us 3.1us rms
 *	bucket [us] : events
 *	          1 : 0
 *	          5 : 117
 *	      >1000 : 2
 *
 * Elapsed times are operations; intervals between events are in a layer of their own.  A bucket has
 * the calls up to its time.
 *
 * Seen: in the documentation and the source of 1.14.
 */
#include "formats/report/report.h"

static bool is_counter(struct str line)
{
	return str_contains(line, STR(" events, ")) && str_contains(line, STR("us avg, min ")) &&
	       str_has_suffix(line, STR(" rms"));
}

static const struct report_format px4_perf = {
	.line = REPORT_LINES(
		LINE("{name}: {calls} events, {total} elapsed, {time} avg, min {min} max {max} "
		     "{deviation} rms",
		     .layer = "elapsed", .begins = true),
		LINE("{name}: {calls} events, {mean} avg, min {min} max {max} {deviation} rms",
		     .layer = "interval", .begins = true),
		LINE("bucket [{unit}] : events", .name = "latency", .begins = true, .opens = 1),
		LINE("{high} : {calls}", .in = 1), LINE(">{low} : {calls}", .in = 1)),
	.unit = UNIT_US,
	.headings = true,
};

const struct format format_px4_perf = {
	.name = "px4-perf",
	.title = "performance counters of PX4",
	.versions = "1.14",
	.unit = "stated",
	.totals = "as printed; of a histogram from the buckets",
	.line_marks = LINE_MARKS({ .is = is_counter, .score = PROBE_SHAPE },
				 { .has = MARKS("bucket [us] : events"), .score = PROBE_MAGIC }),
	.read = report_read,
	.spec = &px4_perf,
};
