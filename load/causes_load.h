/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads trees of calls from operands. */
#ifndef LOAD_CAUSES_LOAD_H
#define LOAD_CAUSES_LOAD_H

#include "report/causes.h"

struct causes_options;
struct diag;
struct operation;
struct run;
struct file_list;
struct loaded;
struct load_options;

/* The traces of one side as trees of calls; causes_side_release() frees them. */
struct causes_side {
	struct call_tree *tree; /* sum of all traces */
	struct causes_run *run;
	size_t n;

	struct call_tree **each; /* tree of each trace, if there are several */

	/* Private. */
	char **file;
	struct seekable *seekable; /* copy of each file that can be read only once */
	struct histogram *hist;	   /* the function's latencies in each trace */
	struct arena *arena;
	struct call_pause *pause;
	size_t n_pauses;
};

/* Whether the format of a run shows how calls nest. */
bool causes_are_reported(const struct run *run);
/* Returns the name that traces have for an operation ("service/name" for spans), on the heap. */
char *causes_function_of(const struct operation *op);

/* Checks whether a file has trees of calls; false when an error was reported.  True for pipes,
 * folders, and files that cannot be opened, which are only checked when they are read. */
MUST_CHECK bool causes_check(const char *path, const struct load_options *q, struct diag *diag);

/* Reads n operands as histograms, for the list of functions with several peaks; the histograms are
 * the same as those of causes_load().  False when an error was reported, also when there are no
 * trees. */
MUST_CHECK bool causes_functions_load(struct loaded *ret, char *const *operand, size_t n,
				      const struct load_options *q, struct diag *diag);

/* Reads the files of n operands (folders, too).  False when an error was reported. */
MUST_CHECK bool causes_load(struct causes_side *ret, char *const *operand, size_t n,
			    const struct load_options *q, const struct causes_options *causes,
			    struct diag *diag);
void causes_side_release(struct causes_side *side);

/* Finds what other threads did while the chosen calls waited, by reading the trace again; returns
 * the number of paths found. */
size_t causes_meanwhile(const struct causes_side *side, const struct causes *c,
			const struct load_options *q, const struct causes_options *causes,
			struct arena *a, struct meanwhile_calls **ret);

#endif
