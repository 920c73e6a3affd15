/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Adds up any number of inputs by several threads, in memory that does not grow with their
 * number.
 *
 * Each thread reads inputs one by one and adds them to a sum of its own in batches; in the end
 * the sums are added up.  The result is the same for any number of threads (profile/merge.h).
 * Messages come in the order of inputs.  If inputs do not fit together, they are read again in
 * order, so that the error does not depend on the threads.
 */
#ifndef LOAD_FOLD_H
#define LOAD_FOLD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"

struct diag;
struct profile;
struct load_options;

/* Adds up the operands and --files-from, with --expect and --skip-bad; *ret_n_skipped is the number
 * of inputs left out.  NULL when an error was reported; without inputs, the profile has no
 * operations. */
MUST_CHECK struct profile *fold_inputs(const struct load_options *q, size_t *ret_n_skipped,
				       struct diag *diag);

/* Two sides compared host by host: `before` and `after` are sums over the hosts in both, and
 * `differences` has the spreads of the differences within each host. */
struct paired_sums {
	struct profile *before, *after, *differences;
};
/* Adds up both sides; false when an error was reported. */
MUST_CHECK bool fold_pairs(const struct load_options *before, const struct load_options *after,
			   struct paired_sums *ret, struct diag *diag);

#endif
