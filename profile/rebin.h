/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A whole profile on another resolution. */
#ifndef PROFILE_REBIN_H
#define PROFILE_REBIN_H

#include <stdbool.h>

struct profile;

/* Puts every histogram on LOG2 buckets, `resolution` for each doubling.  True when
 * some had to be split: they are approximate then. */
bool profile_rebin(struct profile *p, unsigned resolution);

#endif
