/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profiles that are to be added up, so many at a time. */
#ifndef COMPARE_PARTS_H
#define COMPARE_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"

struct diag;
struct profile;

enum {
	BATCH = 16,	   /* profiles that are added up at a time ... */
	CACHED_OPS = 3500, /* ... unless they have more operations than a processor's cache holds */
	PAIR = 2,	   /* two at least, ... */
	BATCH_OPS = 20000, /* ... unless they have more operations than that */
};

/* Profiles until they are added up; at most BATCH at a time; parts_release() frees them. */
struct parts {
	struct profile *part[BATCH + 1]; /* the sum of those before comes first */
	size_t n, n_ops;
};

/* Takes the profile over.  False where it does not fit to the others. */
MUST_CHECK bool parts_add(struct parts *s, struct profile *p, struct diag *diag);
/* The same; a baseline stands for the runs that it holds. */
MUST_CHECK bool parts_add_runs(struct parts *s, struct profile *p, struct diag *diag);
/* All that it has becomes one. */
MUST_CHECK bool parts_fold(struct parts *s, struct diag *diag);
void parts_release(struct parts *s);

#endif
