/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes runs of files.
 *
 * Most files are a run each.  Files that a tool wrote for one run (formats/run_files.h) are merged,
 * and files in a folder that are not runs are left out with a note; a file that looks like a
 * damaged run is an error.
 */
#ifndef LOAD_GATHER_H
#define LOAD_GATHER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"

struct diag;
struct profile;
struct read_options;
struct load_options;

/* One run, made of one file or of several. */
struct gathered_run {
	char *path; /* path of its first file, on the heap */
	struct profile *profile;
};

/* The runs of some operands; gathered_release() frees them. */
struct gathered {
	struct gathered_run *v;
	size_t n;
};

/* Reads the runs of n operands, in the order of their first files; false when an error was
 * reported. */
MUST_CHECK bool gather(struct gathered *ret, char *const *operand, size_t n,
		       const struct load_options *q, const struct read_options *options,
		       struct diag *diag);
/* Reads the rest of a folder: its runs that are not in osprof(5).  Files in osprof(5) are read one
 * by one elsewhere, as there may be very many; here a few only show what the files of runs look
 * like.  There may be no runs beside them. */
MUST_CHECK bool gather_rest(struct gathered *ret, const char *folder, const struct load_options *q,
			    const struct read_options *options, struct diag *diag);
/* Whether the first line of a file is that of osprof(5). */
bool is_own_file(const char *path);
void gathered_release(struct gathered *g);

#endif
