/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds files that `info` lists but that are missing from a data folder of uftrace. */
#ifndef FORMATS_PROGRAMS_UFTRACE_MISSING_H
#define FORMATS_PROGRAMS_UFTRACE_MISSING_H

#include "base/input/input.h"

struct diag;

/* Warns of threads and processors without a file; `in` is the text of a folder's `info`.  A thread
 * whose records were all removed by a filter has no file, either. */
void uftrace_missing_report(struct input *in, struct diag *diag);

#endif
