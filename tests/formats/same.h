/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether two profiles say the same: everything that reports show and analyses use. */
#ifndef TESTS_SAME_H
#define TESTS_SAME_H

#include "base/out.h"
#include "profile/profile.h"

/* Writes a line for each thing in which they differ. */
void report_differences(struct out *o, const struct profile *a, const struct profile *b);

#endif
