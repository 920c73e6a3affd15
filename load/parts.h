/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds profiles up in batches. */
#ifndef LOAD_PARTS_H
#define LOAD_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"

struct diag;
struct profile;

enum {
	BATCH = 16,	   /* profiles in a batch ... */
	CACHED_OPS = 3500, /* ... unless they have as many operations, which fill a CPU cache ... */
	PAIR = 2,	   /* ... but at least two, ... */
	BATCH_OPS = 20000, /* ... unless these have as many operations */
};

/* Profiles that wait to be added up; parts_release() frees them. */
struct parts {
	struct profile *part[BATCH + 1]; /* the sum so far comes first */
	size_t n, n_ops;
};

/* Adds a profile and takes it over.  False when an error was reported: it does not fit the others.
 */
MUST_CHECK bool parts_add(struct parts *s, struct profile *p, struct diag *diag);
/* The same; a baseline stands for the runs that it holds. */
MUST_CHECK bool parts_add_runs(struct parts *s, struct profile *p, struct diag *diag);
/* Adds all parts up into one; false when an error was reported. */
MUST_CHECK bool parts_fold(struct parts *s, struct diag *diag);
void parts_release(struct parts *s);

#endif
