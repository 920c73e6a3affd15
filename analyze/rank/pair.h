/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pairs the operations of two runs by name. */
#ifndef ANALYZE_RANK_PAIR_H
#define ANALYZE_RANK_PAIR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

struct arena;
struct operation;
struct profile;

/* An operation before, and the operation after that it is compared with. */
struct operation_pair {
	const struct operation *before, *after; /* NULL where absent */
	bool renamed;
};

/* Pairs operations by layer and name: first those of `before` in its order, then those that only
 * `after` has. */
struct operation_pair *pair_operations(struct arena *a, const struct profile *before,
				       const struct profile *after, size_t *ret_n);

/* The two names of a renamed operation. */
struct rename_rule {
	struct str before, after;
};

/* Joins pairs that have one side only, and returns the number of pairs then.  Two operations
 * count as the same
 *
 * - if a rule says so;
 * - if their names are spellings of one system call (pread, pread64, __x64_sys_pread64);
 * - if no other operations match, and the names of the two sides differ only in a prefix or suffix
 *   common to all names of a side (a renamed job);
 * - if each side has one operation, and both are the same command with other arguments or in
 *   another folder, or paths that end alike. */
size_t pair_renamed(struct operation_pair *v, size_t n, const struct rename_rule *rename,
		    size_t n_renames);

#endif
