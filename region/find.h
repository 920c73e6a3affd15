/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the file that holds the counters of a process. */
#ifndef REGION_FIND_H
#define REGION_FIND_H

#include "base/attr.h"

struct diag;

/* Returns the path for "pid:N", on the heap; NULL: an error was reported. */
MUST_CHECK char *region_find(const char *source, struct diag *diag);

#endif
