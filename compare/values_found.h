/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a run with the variables of its calls and finds those that separate the peaks, for
 * `osprof values`, its figure and its view in the browser. */
#ifndef COMPARE_VALUES_FOUND_H
#define COMPARE_VALUES_FOUND_H

#include "analyze/totals.h"
#include "analyze/values/values.h"
#include "base/attr.h"
#include "load/load_options.h"

struct diag;

/* A run with the variables of its calls; values_found_release() frees it. */
struct values_found {
	struct profile *profile;     /* the sum of all files */
	struct variables *variables; /* none of a value profile */
	size_t n_files;
	struct totals totals; /* of all operations, chosen or not */
	struct value_rules rules;
	struct values values; /* borrows from the members above */
	struct arena *arena;
};

/* Reads the files and folders of the operands; false when an error was reported.  Call
 * values_found_release() in any case. */
MUST_CHECK bool values_found_load(struct values_found *ret, const struct load_options *q,
				  uint64_t seed, struct diag *diag);
/* Whether there are variables that could separate peaks; false when it was reported that there are
 * none. */
MUST_CHECK bool values_found_check(const struct values_found *v, const char *path,
				   struct diag *diag);
/* Finds values for the operations that --op and --layer select; false when it was reported that there
 * are none. */
MUST_CHECK bool values_found_find(struct values_found *v, const struct load_options *q,
				  struct diag *diag);
void values_found_release(struct values_found *v);

#endif
