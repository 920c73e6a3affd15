/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether a program can be recorded by a library that is preloaded into it. */
#ifndef RECORD_PROGRAM_H
#define RECORD_PROGRAM_H

#include <stdbool.h>

#include "base/attr.h"

struct diag;

/* Finds the program as execvp() would, scripts' interpreters included. False, with the
 * reason, when it is not there or cannot be recorded: statically linked, set-uid, of
 * another machine or another C library. */
MUST_CHECK bool program_check(const char *name, struct diag *diag);

#endif
