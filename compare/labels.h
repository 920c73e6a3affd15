/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Labels: operations of pairs of runs of which it is known whether they were changed.
 *
 * A table with the columns baseline, candidate (paths of runs, from the folder of the table),
 * operation and label: changed, same, or unscored where nobody can tell.  Other columns are
 * ignored.
 */
#ifndef COMPARE_LABELS_H
#define COMPARE_LABELS_H

#include "base/input/input.h"
#include "base/tables/str_table.h"

struct arena;
struct diag;

/* What is known of an operation. */
enum truth { TRUTH_CHANGED, TRUTH_SAME, TRUTH_UNSCORED };
extern const char *const truth_names[]; /* by number, then NULL */

/* A row of the table. */
struct label {
	struct str operation; /* in the arena */
	enum truth truth;
	struct str where; /* the operation in the input, for messages */
};

/* Two runs, and the rows about them. */
struct labelled_pair {
	size_t before, after; /* numbers of runs */
	unsigned half;	      /* 0 or 1: all pairs of a setting are in the same half */
	struct label *label;
	size_t n, cap;
};

/* A table that was read; labels_release() frees it. */
struct labels {
	struct input input; /* for messages */
	struct arena *arena;
	struct str_table run; /* paths as they are written in the table */
	struct labelled_pair *pair;
	size_t n_pairs;

	/* Private. */
	struct str_table pair_key;
	size_t cap_pairs;
};

/* Reads a table; false when an error was reported. */
MUST_CHECK bool labels_read(struct labels *ret, const char *path, size_t max_input,
			    struct diag *diag);
void labels_release(struct labels *l);

#endif
