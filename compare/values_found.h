/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run read with what it records of each call, and which of that separates the peaks: what
 * `osprof values`, its figure and its view in the browser begin with. */
#ifndef COMPARE_VALUES_FOUND_H
#define COMPARE_VALUES_FOUND_H

#include "analyze/totals.h"
#include "analyze/values.h"
#include "base/attr.h"
#include "compare/request.h"

struct diag;

/* A run with the variables of its calls; values_found_release() frees it. */
struct values_found {
	struct profile *profile;     /* the sum of all files */
	struct variables *variables; /* none of a value profile */
	size_t n_files;
	struct totals totals; /* of all operations, also of those that are not chosen */
	struct value_rules rules;
	struct values values; /* borrows from all of these */
	struct arena *arena;
};

/* Reads the files and folders of the operands; false when an error was reported.  Released by
 * values_found_release() either way. */
MUST_CHECK bool values_found_load(struct values_found *ret, const struct request *q,
				  struct diag *diag);
/* Whether there is anything that could separate peaks; false when that was reported. */
MUST_CHECK bool values_found_check(const struct values_found *v, const char *path,
				   struct diag *diag);
/* Of the operations that the settings choose; false when it was reported that there are none. */
MUST_CHECK bool values_found_find(struct values_found *v, const struct request *q,
				  struct diag *diag);
void values_found_release(struct values_found *v);

#endif
