/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Changes the bucket resolution of a whole profile. */
#ifndef PROFILE_REBIN_H
#define PROFILE_REBIN_H

#include <stdbool.h>

struct profile;

/* Puts every histogram on LOG2 buckets, `resolution` per octave.  Returns true when some buckets
 * had to be split: their histograms are then approximate. */
bool profile_rebin(struct profile *p, unsigned resolution);

#endif
