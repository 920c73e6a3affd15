/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The operations of two runs, each with its namesake. */
#ifndef ANALYZE_PAIR_H
#define ANALYZE_PAIR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

struct arena;
struct operation;
struct profile;

/* An operation before and the one after that it is compared with. */
struct operation_pair {
	const struct operation *before, *after; /* NULL where absent */
	bool renamed;
};

/* By layer and name: those of `before` in its order, then what only `after` has. */
struct operation_pair *pair_operations(struct arena *a, const struct profile *before,
				       const struct profile *after, size_t *ret_n);

/* Two names of one operation. */
struct rename_rule {
	struct str before, after;
};

/* Of pairs with one side only makes pairs with both, and takes out what is left over; the
 * number of pairs then. Two operations are taken for the same one
 *
 * - as the rules say;
 * - when their names are spellings of one system call (pread, pread64, __x64_sys_pread64);
 * - when nothing else matches, and each side has one operation, or the names of a side
 *   differ from those of the other by a prefix or suffix that all of a side have (a
 *   renamed job). */
size_t pair_renamed(struct operation_pair *v, size_t n, const struct rename_rule *rename,
		    size_t n_renames);

#endif
