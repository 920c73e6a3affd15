/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Adding up any number of inputs: with all processors, and in memory that does not grow with
 * their number.
 *
 * Each thread reads one input after the other and folds what it has read into a sum of its own,
 * so many at a time; in the end the sums are added up.  That gives the same bytes whatever the
 * number of threads (profile/merge.h).  Messages come in the order of the inputs, and so does
 * the error that is reported: where something does not fit together, it is looked for again in
 * this order.
 */
#ifndef COMPARE_FOLD_H
#define COMPARE_FOLD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"

struct diag;
struct profile;
struct request;

/* Of the operands and of --files-from, with --expect and --skip-bad, and how many inputs that
 * left out.  NULL when an error was reported; no input at all gives the profile without an
 * operation. */
MUST_CHECK struct profile *fold_inputs(const struct request *q, size_t *ret_n_skipped,
				       struct diag *diag);

/* Two nights, host by host: `before` and `after` are their sums by host, of the hosts that
 * are in both, and `differences` holds how each host differs from itself. */
struct nights {
	struct profile *before, *after, *differences;
};
/* False when an error was reported. */
MUST_CHECK bool fold_nights(const struct request *before, const struct request *after,
			    struct nights *ret, struct diag *diag);

#endif
