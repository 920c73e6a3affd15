/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "watch/pace.h"

#include <math.h>

/* What is left of a snapshot's weight when the next one comes. */
static const double fading = 0.75;
/* Snapshots closer than that came out of one buffer: their times say nothing. */
static const double shortest = 0.05;

enum { MIN_SNAPSHOTS = 2 };

void pace_add(struct pace *p, double at, double calls)
{
	if (p->n > 0) {
		p->calls = fading * p->calls + calls;
		p->seconds = fading * p->seconds + (at - p->at);
	}
	p->at = at;
	p->n++;
}

bool pace_is_known(const struct pace *p)
{
	return p->n >= MIN_SNAPSHOTS && p->seconds > 0;
}

bool pace_is_burst(const struct pace *p, double at)
{
	return at - p->at < shortest;
}

bool pace_fits_all(const struct pace *p, double at, double all, double before)
{
	double seconds = at - p->at, expected;

	if (!pace_is_known(p) || pace_is_burst(p, at))
		return false;
	expected = seconds * p->calls / p->seconds;
	return fabs(log(all / expected)) < fabs(log((all - before) / expected));
}
