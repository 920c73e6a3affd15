/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ipython-timeit: what %timeit of IPython prints.
 *
 *	In [3]: %timeit f(x)
 *	1.05 ms ± 23.1 µs per loop (mean ± std. dev. of 7 runs, 1,000 loops each)
 *
 * The operation is the input above, or "loop"; a call is a run, the mean of its loops.
 *
 * Seen: 8.12.  Not supported: before IPython 6, which prints the best run only.
 */
#include "formats/report/report.h"

static const struct report_format ipython_timeit = {
	.line = REPORT_LINES(
		LINE("In [{number}]: {mean} ± {deviation} per loop (mean ± std. dev. of {calls} "
		     "run*",
		     .begins = true),
		LINE("In [{number}]: %timeit {group}"), LINE("In [{number}]: {group}"),
		LINE("{mean} ± {deviation} per loop (mean ± std. dev. of {calls} run*",
		     .begins = true)),
	.name = "loop",
};

const struct format format_ipython_timeit = {
	.name = "ipython-timeit",
	.title = "runs of code, as %timeit of IPython prints them",
	.versions = "8.12",
	.unit = "stated after each number",
	.totals = "mean times runs, to the digits of the mean",
	.line_marks =
		LINE_MARKS({ .line = "*per loop (mean ± std. dev. of *", .score = PROBE_MAGIC }),
	.read = report_read,
	.spec = &ipython_timeit,
};
