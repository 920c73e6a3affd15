/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which files are parts of one run: for compare/gather.c. */
#ifndef COMPARE_GATHER_PARTS_H
#define COMPARE_GATHER_PARTS_H

#include "base/attr.h"
#include "base/diag_kept.h"
#include "compare/gather.h"
#include "compare/read_file.h"
#include "formats/run_files.h"

struct listed;

/* One file that may be a run, a part of one, or none. */
struct source {
	const struct listed *file;
	bool tried; /* to read it */
	struct file_read read;
	struct diag_kept kept; /* what was reported while it was read */
	const char *left_out;  /* why; NULL: it is not */
	bool named;	       /* its name says what part of a run it is: */
	struct run_file name;
	size_t row;   /* of the table of names */
	size_t group; /* the first source of its run */
};

/* All files of the operands. */
struct sources {
	struct source *v;
	size_t n;
	unsigned seen[SEV_COUNT]; /* messages about those before, for their number is limited */
};

/* Whether two files lie in the same folder. */
bool same_folder(const struct source *a, const struct source *b);

/* Finds the groups, and leaves out what repeats the calls of others. */
void group_sources(struct sources *all);
/* Notes which files were put together. */
void report_groups(const struct sources *all, struct diag *diag);
/* Makes one run of the group that source i is the first of, whose profiles go into it; false
 * when an error was reported. */
MUST_CHECK bool merge_group(struct sources *all, size_t i, struct gathered_run *ret,
			    struct diag *diag);

#endif
