/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Restricts a profile to a range of its time. */
#ifndef PROFILE_BETWEEN_H
#define PROFILE_BETWEEN_H

#include "profile/profile.h"

struct diag;

/* Seconds since the profile's first interval began; `to` may be HUGE_VAL.  Where intervals are
 * numbered, their numbers. */
struct time_range {
	double from, to;
};

bool profile_has_intervals(const struct profile *p);

/* Keeps the intervals whose middle lies in the range, so that adjacent ranges share none.
 * Operations of which only the whole run is known are left out, and so is what is only known of
 * the whole run.  False when an error was reported: there is no such interval, or a sum does not
 * fit. */
MUST_CHECK bool profile_keep_between(struct profile *p, struct time_range range, struct diag *diag);

#endif
