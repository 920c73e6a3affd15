/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/watch/watch_load.h"

#include <stddef.h>

static const double share_from[WATCH_SHARES - 1] = { 0.5, 0.9 };
static const double wait_from[WATCH_WAITS - 1] = { 1e6, 4e6, 16e6, 64e6 }; /* ns */

static unsigned steps_up_to(const double *from, size_t n, double v)
{
	unsigned steps = 0;

	while (steps < n && v >= from[steps])
		steps++;
	return steps;
}

unsigned watch_load_of(const struct contention *c)
{
	if (!contention_is_known(c))
		return 0;
	return 1 + steps_up_to(share_from, WATCH_SHARES - 1, contention_others(c)) * WATCH_WAITS +
	       steps_up_to(wait_from, WATCH_WAITS - 1, contention_wait(c));
}
