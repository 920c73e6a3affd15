/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs a command and records its calls in the kernel, by bpftrace. */
#ifndef RECORD_KERNEL_RECORDER_H
#define RECORD_KERNEL_RECORDER_H

#include <stdbool.h>

#include "base/attr.h"
#include "record/recorded.h"

struct diag;
struct recording;

/* As record_command(). */
MUST_CHECK bool record_in_kernel(struct recorded *ret, char *const *argv,
				 const struct recording *how, struct diag *diag);

#endif
