/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "watch/snapshot_rate.h"

#include <math.h>

/* The weight of earlier snapshots falls by this factor with each new one. */
static const double fading = 0.75;
/* Snapshots that arrive closer together, in seconds, left one output buffer. */
static const double shortest = 0.05;

enum { MIN_SNAPSHOTS = 2 };

void snapshot_rate_add(struct snapshot_rate *p, double at, double calls)
{
	if (p->n > 0) {
		p->calls = fading * p->calls + calls;
		p->seconds = fading * p->seconds + (at - p->at);
	}
	p->at = at;
	p->n++;
}

bool snapshot_rate_is_known(const struct snapshot_rate *p)
{
	return p->n >= MIN_SNAPSHOTS && p->seconds > 0;
}

bool snapshot_rate_is_burst(const struct snapshot_rate *p, double at)
{
	return at - p->at < shortest;
}

bool snapshot_rate_fits_all(const struct snapshot_rate *p, double at, double all, double before)
{
	double seconds = at - p->at, expected;

	if (!snapshot_rate_is_known(p) || snapshot_rate_is_burst(p, at))
		return false;
	expected = seconds * p->calls / p->seconds;
	return fabs(log(all / expected)) < fabs(log((all - before) / expected));
}
