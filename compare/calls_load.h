/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From operands to per-call records. */
#ifndef COMPARE_CALLS_LOAD_H
#define COMPARE_CALLS_LOAD_H

#include "base/attr.h"
#include "profile/calls.h"

struct diag;
struct request;

/* Reads the files of n operands (folders, too), each as a run; only operations that --op
 * chooses.  NULL when an error was reported. */
MUST_CHECK struct calls *calls_load(char *const *operand, size_t n, const struct request *q,
				    struct diag *diag);

#endif
