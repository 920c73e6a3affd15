/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tools that write several files for one run, and how they name them.
 *
 * What a name means is in the table of run_files.c; that a file holds what its name
 * promises is known when it was read.
 */
#ifndef FORMATS_RUN_FILES_H
#define FORMATS_RUN_FILES_H

#include <stdbool.h>

#include "base/str.h"

struct input;

/* What a file of such a name has to do with its run. */
enum run_file_kind {
	RUN_FILE_PART,	 /* calls of the run */
	RUN_FILE_AGAIN,	 /* calls that other files of the run have, too */
	RUN_FILE_REPORT, /* the same, of a run whose other files are not named like it */
	RUN_FILE_OTHER,	 /* no latencies */
};

/* What one row of the table says of a file's name, from which it borrows. */
struct run_file {
	const char *tool;
	const char *format; /* that it has to have; NULL: it is not read */
	enum run_file_kind kind;
	bool processes;	  /* each is of a process: files that are numbered 1, 2, 3 are runs */
	bool joins;	  /* files with other stems are of the same run, unless parts clash */
	bool only_layer;  /* which says nothing where there is no other */
	struct str stem;  /* what the files of a run share: "x" of x_clat.1.log */
	struct str run;	  /* a number that they share, too; empty */
	struct str part;  /* "1": of a job, thread, processor, process; empty */
	struct str layer; /* "clat"; empty */
};

/* What the row number `row` says of a path; false where it says nothing.  There are
 * run_file_rows() of them. */
bool run_file_match(size_t row, struct str path, struct run_file *ret);
size_t run_file_rows(void);

/* Whether a tool left a log there that holds means or sums over time instead of latencies. */
bool run_file_has_means(const struct input *in);

#endif
