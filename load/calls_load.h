/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads per-call records from operands. */
#ifndef LOAD_CALLS_LOAD_H
#define LOAD_CALLS_LOAD_H

#include "base/attr.h"
#include "calls/calls.h"

struct diag;
struct load_options;

/* Reads the files of n operands (files or folders), each as a run, and chooses the operations that
 * --op selects.  NULL when an error was reported; calls_free() frees the result. */
MUST_CHECK struct calls *calls_load(char *const *operand, size_t n, const struct load_options *q,
				    struct diag *diag);

#endif
