/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds files that are parts of one run; for load/gather.c. */
#ifndef LOAD_GATHER_PARTS_H
#define LOAD_GATHER_PARTS_H

#include "base/attr.h"
#include "base/diag_kept.h"
#include "formats/run_files.h"
#include "load/gather.h"
#include "load/read_file.h"

struct listed;

/* One file that may be a run, a part of one, or neither. */
struct source {
	const struct listed *file;
	bool tried; /* reading was tried */
	struct file_read read;
	struct diag_kept kept; /* messages from reading it */
	const char *left_out;  /* why it is left out; NULL: it is not */
	bool named;	       /* its name matches a row of the table in formats/run_files.h */
	struct run_file name;
	size_t row;   /* that row */
	size_t group; /* number of the first source of its run */
};

/* All files of the operands. */
struct sources {
	struct source *v;
	size_t n;
	unsigned seen[SEV_COUNT]; /* messages so far by severity, as their number is limited */
};

/* Whether two files lie in the same folder. */
bool same_folder(const struct source *a, const struct source *b);

/* Finds the groups of files that are one run, and leaves out files that repeat the calls of others.
 */
void group_sources(struct sources *all);
/* Reports which files were merged. */
void report_groups(const struct sources *all, struct diag *diag);
/* Makes one run of the group whose first source is i, consuming its profiles; false when an error
 * was reported. */
MUST_CHECK bool merge_group(struct sources *all, size_t i, struct gathered_run *ret,
			    struct diag *diag);

#endif
