/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Within profile/merge*.c only: what profiles say of themselves, without operations. */
#ifndef PROFILE_MERGE_HEADS_H
#define PROFILE_MERGE_HEADS_H

#include "profile/profile.h"

struct diag;

/* The unit, the clocks, the hosts ... of n profiles go to that of the sum; false when they
 * do not fit together. */
MUST_CHECK bool merge_heads(struct profile *to, const struct profile *const *p, size_t n,
			    struct diag *diag);

#endif
