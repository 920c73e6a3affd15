/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Merges what profiles state besides their operations; for profile/merge.c only. */
#ifndef PROFILE_MERGE_HEADS_H
#define PROFILE_MERGE_HEADS_H

#include "profile/profile.h"

struct diag;

/* Merges the units, clocks, hosts and so on of n profiles into `to`; false when an error was
 * reported because they do not fit together. */
MUST_CHECK bool merge_heads(struct profile *to, const struct profile *const *p, size_t n,
			    struct diag *diag);

#endif
