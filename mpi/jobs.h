/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What one process of a job does. */
#ifndef MPI_JOBS_H
#define MPI_JOBS_H

#include "cli/command.h"

struct diag;
struct profile;

/* Its share of the inputs, added up; NULL when an error was reported here. */
struct profile *jobs_merge(const struct settings *s, struct diag *diag);
/* Its part of each input, added up; the same. */
struct profile *jobs_convert(const struct settings *s, struct diag *diag);
/* Reports and writes the sum of all processes; called in the first one. */
MUST_CHECK bool jobs_finish(struct context *cx, const struct settings *s, struct profile *sum);

#endif
