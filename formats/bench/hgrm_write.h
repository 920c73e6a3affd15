/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a profile of one operation as a percentile table: see formats/bench/hgrm.c. */
#ifndef FORMATS_BENCH_HGRM_WRITE_H
#define FORMATS_BENCH_HGRM_WRITE_H

#include <stdbool.h>

#include "base/attr.h"

struct diag;
struct out;
struct profile;

/* False, with an error, for any other number of operations. */
MUST_CHECK bool hgrm_write(const struct profile *p, struct out *o, struct diag *diag);

#endif
