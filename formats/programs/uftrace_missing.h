/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a data folder of uftrace lacks of what its `info` says that there was. */
#ifndef FORMATS_PROGRAMS_UFTRACE_MISSING_H
#define FORMATS_PROGRAMS_UFTRACE_MISSING_H

#include "base/input.h"

struct diag;

/* Warns of threads and processors of which there is no file; `in` is the text of `info`, of a
 * folder.  A thread of which a filter left nothing has none, too. */
void uftrace_missing_report(struct input *in, struct diag *diag);

#endif
