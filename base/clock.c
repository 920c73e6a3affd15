/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/clock.h"

#include <time.h>

static double clock_seconds(clockid_t id)
{
	struct timespec t;

	(void)clock_gettime(id, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double clock_monotonic(void)
{
	return clock_seconds(CLOCK_MONOTONIC);
}

double clock_utc(void)
{
	return clock_seconds(CLOCK_REALTIME);
}
