/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From files to runs.
 *
 * Most files are a run each.  What a tool wrote into several files for one run
 * (formats/run_files.h) becomes one again, and what in a folder is no run is left out
 * with a note; a file that looks like a damaged run is an error.
 */
#ifndef COMPARE_GATHER_H
#define COMPARE_GATHER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"

struct diag;
struct profile;
struct read_options;
struct request;

/* One run, made of one file or of several. */
struct gathered_run {
	char *path; /* of its first file, on the heap */
	struct profile *profile;
};

/* The runs of some operands; gathered_release() frees them. */
struct gathered {
	struct gathered_run *v;
	size_t n;
};

/* The runs of n operands, in the order of their first files. */
MUST_CHECK bool gather(struct gathered *ret, char *const *operand, size_t n,
		       const struct request *q, const struct read_options *options,
		       struct diag *diag);
/* The runs of a folder that are not in files of our own format: those are read one by one,
 * however many there are, and here they only show what files of runs look like.  Beside them
 * there need not be any. */
MUST_CHECK bool gather_rest(struct gathered *ret, const char *folder, const struct request *q,
			    const struct read_options *options, struct diag *diag);
/* Whether a file says in its first line that it is of our own format. */
bool is_own_file(const char *path);
void gathered_release(struct gathered *g);

#endif
