/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ANALYZE_RUNS_SIDE_H
#define ANALYZE_RUNS_SIDE_H

#include <stddef.h>

struct profile;

/* The runs of one side, as they were measured. */
struct runs_side {
	const struct profile *const *run;
	size_t n;
};

#endif
