/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What bench_capture calls: each function adds a part of profiling to the one before. In
 * a file of their own, so that they are called. */
#include "tests/bench/capture_parts.h"

uint64_t empty_start(const struct osprof *p)
{
	(void)p;
	return 0;
}

uint64_t empty_stop(struct osprof *p, int op, uint64_t start)
{
	(void)p;
	(void)op;
	return start;
}

uint64_t reading_start(const struct osprof *p)
{
	return osprof_start(p);
}

uint64_t reading_stop(struct osprof *p, int op, uint64_t start)
{
	(void)op;
	return osprof_start(p) - start;
}
