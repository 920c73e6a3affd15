/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks whether a program can be recorded by a preloaded library. */
#ifndef RECORD_PROGRAM_H
#define RECORD_PROGRAM_H

#include <stdbool.h>

#include "base/attr.h"

struct diag;

/* Finds the program as execvp() would, including the interpreters of scripts. Reports an error and
 * returns false if it does not exist or cannot be recorded: it is statically linked, set-uid, for
 * another machine or with another C library. */
MUST_CHECK bool program_check(const char *name, struct diag *diag);

#endif
