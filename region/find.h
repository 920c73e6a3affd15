/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which file the counters of a process are in. */
#ifndef REGION_FIND_H
#define REGION_FIND_H

#include "base/attr.h"

struct diag;

/* A path for "pid:N", on the heap; NULL: the reason was reported. */
MUST_CHECK char *region_find(const char *source, struct diag *diag);

#endif
