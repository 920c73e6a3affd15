/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The intervals of a profile, one by one. */
#ifndef WATCH_PARTS_H
#define WATCH_PARTS_H

#include "profile/profile.h"

/* Returns the start of the first interval after `after`, in the profile's seconds; HUGE_VAL if
 * there is none. */
double part_next(const struct profile *p, double after);
/* Returns the part of p in the interval that begins at `start`; the last one also gets what lies in
 * no interval, and the first one gets when p began, so that the parts add up to p.  It borrows from p; profile_free() frees it. */
struct profile *part_of(const struct profile *p, double start, bool last);
/* Whether the intervals of each operation contain all of its calls. */
bool parts_hold_all(const struct profile *p);
/* Returns the calls of all operations; 0 for NULL. */
uint64_t parts_count(const struct profile *p);

#endif
