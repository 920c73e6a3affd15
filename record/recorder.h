/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs a command and records its calls, in the program or in the kernel. */
#ifndef RECORD_RECORDER_H
#define RECORD_RECORDER_H

#include <stdbool.h>

#include "base/attr.h"
#include "record/recorded.h"

struct diag;
struct recording;

/* Runs the command (argv ends with NULL) and records its calls. False when nothing was
 * recorded. */
MUST_CHECK bool record_command(struct recorded *ret, char *const *argv, const struct recording *how,
			       struct diag *diag);

#endif
