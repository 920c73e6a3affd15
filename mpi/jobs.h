/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The work of one process of an MPI job. */
#ifndef MPI_JOBS_H
#define MPI_JOBS_H

#include "program/command.h"

struct diag;
struct profile;

/* Merges this process's share of the inputs; NULL when an error was reported here. */
struct profile *jobs_merge(const struct settings *s, struct diag *diag);
/* Converts this process's part of each input and merges the parts; NULL as above. */
struct profile *jobs_convert(const struct settings *s, struct diag *diag);
/* Reports on and writes the sum of all processes; called in the first one only. */
MUST_CHECK bool jobs_finish(struct context *cx, const struct settings *s, struct profile *sum);

#endif
