/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From operands to trees of calls. */
#ifndef COMPARE_CAUSES_LOAD_H
#define COMPARE_CAUSES_LOAD_H

#include "report/causes.h"

struct diag;
struct operation;
struct run;
struct file_list;
struct loaded;
struct request;

/* The traces of one side as trees of calls; causes_side_release() frees them. */
struct causes_side {
	struct call_tree *tree; /* of all its traces */
	struct causes_run *run;
	size_t n;

	struct call_tree **each; /* of each trace, where there are several */

	/* Its own. */
	char **file;
	struct seekable *seekable; /* of each file that can be read only once */
	struct histogram *hist;	   /* of the function, of each trace */
	struct arena *arena;
	struct call_pause *pause;
	size_t n_pauses;
};

/* Whether the format of a run tells how calls nest. */
bool causes_are_reported(const struct run *run);
/* An operation as traces name it, "service/name" of spans; on the heap. */
char *causes_function_of(const struct operation *op);

/* Whether a file has trees of calls; true where that is seen only when it is read: of pipes,
 * folders, and what cannot be opened.  False when an error was reported. */
MUST_CHECK bool causes_check(const char *path, const struct request *q, struct diag *diag);

/* Reads n operands for the list of functions with several peaks: their histograms are those that
 * causes have of one function.  False when an error was reported, as where there are no trees. */
MUST_CHECK bool causes_functions_load(struct loaded *ret, char *const *operand, size_t n,
				      const struct request *q, struct diag *diag);

/* Reads the files of n operands (folders, too).  False when an error was reported. */
MUST_CHECK bool causes_load(struct causes_side *ret, char *const *operand, size_t n,
			    const struct request *q, struct diag *diag);
void causes_side_release(struct causes_side *side);

/* What other threads did while the chosen calls waited: reads the trace again; 0 where nothing is
 * found. */
size_t causes_meanwhile(const struct causes_side *side, const struct causes *c,
			const struct request *q, struct arena *a, struct call_company **ret);

#endif
