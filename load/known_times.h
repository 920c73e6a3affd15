/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads characteristic times: the built-in ones and those of --times. */
#ifndef LOAD_KNOWN_TIMES_H
#define LOAD_KNOWN_TIMES_H

#include "analyze/times.h"

struct load_options;

/* Loads both; those of --times take precedence.  Everything lies in the arena.  False when an error
 * was reported. */
MUST_CHECK bool load_known_times(struct arena *a, const struct load_options *q,
				 struct known_times *ret, struct diag *diag);

#endif
