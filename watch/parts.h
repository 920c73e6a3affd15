/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A profile taken apart into its intervals. */
#ifndef WATCH_PARTS_H
#define WATCH_PARTS_H

#include "profile/profile.h"

/* The first interval of any operation that begins later than `after`, in the seconds of the
 * profile; HUGE_VAL: there is none. */
double part_next(const struct profile *p, double after);
/* What of a profile lies in the interval that begins then, and in the last one what lies in
 * none; borrows from the profile.  profile_free() frees it. */
struct profile *part_of(const struct profile *p, double start, bool last);
/* Whether its intervals hold all calls of each operation. */
bool parts_hold_all(const struct profile *p);
/* Calls of all its operations; of NULL 0. */
uint64_t parts_count(const struct profile *p);

#endif
