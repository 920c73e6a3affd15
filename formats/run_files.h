/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tools that write several files for one run, and how they name them.
 *
 * The table in run_files.c says what a name means.  Whether a file holds what its name promises is
 * known only when it is read.
 */
#ifndef FORMATS_RUN_FILES_H
#define FORMATS_RUN_FILES_H

#include <stdbool.h>

#include "base/str.h"

struct input;

/* How a file with such a name relates to its run. */
enum run_file_kind {
	RUN_FILE_PART,	 /* calls of the run */
	RUN_FILE_AGAIN,	 /* calls that other files of the run contain as well */
	RUN_FILE_REPORT, /* the same, where the run's other files are named differently */
	RUN_FILE_OTHER,	 /* no latencies */
};

/* What one row of the table says about a file name; strings are borrowed from the name. */
struct run_file {
	const char *tool;
	const char *format; /* that the file must have; NULL: it is not read */
	enum run_file_kind kind;
	bool processes;	  /* one file per process: files numbered 1, 2, 3 are runs */
	bool joins;	  /* files with other stems belong to the same run, unless parts clash */
	bool only_layer;  /* ignore the layer where all files have the same one */
	struct str stem;  /* the part of the name that a run's files share: "x" of x_clat.1.log */
	struct str run;	  /* a number that they share as well; empty: none */
	struct str part;  /* "1": a job, thread, processor or process; empty: none */
	struct str layer; /* "clat"; empty: none */
};

/* Returns whether a path matches row number `row`, of run_file_rows(), and stores what it says. */
bool run_file_match(size_t row, struct str path, struct run_file *ret);
size_t run_file_rows(void);

/* Returns whether the file is a log of means or sums over time instead of latencies. */
bool run_file_has_means(const struct input *in);

#endif
