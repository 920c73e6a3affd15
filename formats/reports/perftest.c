/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * perftest: latencies of RDMA, from ib_write_lat, ib_read_lat, ib_send_lat and so on.
 *
 *	 #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec] ...
 *	 2       1000          0.81           4.24         0.84               0.85        ...
 *
 * The operation is a size in bytes.  t_typical is the median.
 *
 * Seen: in posts from 5.0 to 6.20.
 */
#include "formats/report/report.h"

static const struct report_format perftest = {
	.line = REPORT_LINES(
		LINE("#bytes #iterations t_min[{unit}] t_max[*] t_typical[*] t_avg[*] t_stdev[*] "
		     "99% percentile[*] 99.9% percentile[*]",
		     .opens = 1),
		LINE("#bytes #iterations t_min[{unit}] t_max[*] t_typical[*]", .opens = 2),
		LINE("{name} {calls} {min} {max} {p50} {mean} {deviation} {p99} {p99.9}",
		     .begins = true, .in = 1),
		LINE("{name} {calls} {min} {max} {p50}", .begins = true, .in = 2)),
};

const struct format format_perftest = {
	.name = "perftest",
	.title = "latencies of RDMA, as ib_write_lat and the like print them",
	.versions = "5.0 to 6.20",
	.unit = "stated in the head",
	.totals = "mean times iterations, to 0.01 us",
	.line_marks = LINE_MARKS({ .has = MARKS("#bytes #iterations", "t_min[", "t_typical["),
				   .score = PROBE_MAGIC }),
	.read = report_read,
	.spec = &perftest,
};
