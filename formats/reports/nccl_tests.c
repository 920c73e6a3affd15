/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nccl-tests: collectives of GPUs, as all_reduce_perf and so on print them, also those of rccl-tests.
 *
 *	# nThread 1 nGpus 8 minBytes 8 maxBytes 8 ... warmup iters: 5 iters: 20 agg iters: 1 ...
 *	#       size         count      type   redop    root     time   algbw   busbw #wrong ...
 *	           8             2     float     sum      -1    12.90    0.00    0.00      0 ...
 *
 * The operation is the size of a message in bytes, in the layer out-of-place or in-place.  A time is
 * the mean of the iterations that the first line states.
 *
 * Seen: in posts from 2.13 on.  Refused: without the first line, or with several calls in an
 * iteration (-m).
 */
#include "formats/report/report.h"

static const struct report_format nccl_tests = {
	.line = REPORT_LINES(
		LINE("# nThread * warmup iters: {number} iters: {calls} agg iters: 1 *", .of = "",
		     .run = true),
		LINE("# nThread * agg iters: *",
		     .refuse = "a time is that of several calls: measure without -m"),
		LINE("# size count type*time*", .opens = 1), LINE("# (B) (elements) * ({unit}) *"),
		LINE("#*"),
		LINE("{name} {number} *{mean} {number} {number} {number} {time} {number} {number} "
		     "{number}",
		     .layer = "out-of-place", .begins = true, .in = 1, .also = true),
		LINE("{name} {number} *{time} {number} {number} {number} {mean} {number} {number} "
		     "{number}",
		     .layer = "in-place", .begins = true, .in = 1)),
	.unit = UNIT_US,
};

const struct format format_nccl_tests = {
	.name = "nccl-tests",
	.title = "collectives of GPUs, as nccl-tests print them",
	.versions = "2.13",
	.unit = "stated in the head",
	.totals = "mean times iterations, to the digits of the mean",
	.line_marks = LINE_MARKS(
		{ .has = MARKS("# nThread ", "iters: ", "agg iters: "),
		  .why = "no table of times below it" },
		{ .place = LINE_AFTER, .has = MARKS("#", "algbw", "busbw"), .score = PROBE_MAGIC }),
	.read = report_read,
	.spec = &nccl_tests,
};
