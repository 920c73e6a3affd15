/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From operands to per-call records. */
#ifndef CLI_CALLS_LOAD_H
#define CLI_CALLS_LOAD_H

#include "base/attr.h"
#include "profile/calls.h"

struct diag;
struct settings;

/* Reads the files of n operands (folders, too), each as a run; only operations that --op
 * chooses.  NULL when an error was reported. */
MUST_CHECK struct calls *calls_load(char *const *operand, size_t n, const struct settings *s,
				    struct diag *diag);

#endif
