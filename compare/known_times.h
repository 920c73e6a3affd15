/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Characteristic times: ours and those of --times. */
#ifndef COMPARE_KNOWN_TIMES_H
#define COMPARE_KNOWN_TIMES_H

#include "analyze/times.h"

struct request;

/* Those of --times go before ours; all of it lies in the arena. */
MUST_CHECK bool load_known_times(struct arena *a, const struct request *q, struct known_times *ret,
				 struct diag *diag);

#endif
