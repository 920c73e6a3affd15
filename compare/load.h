/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From operands to runs. */
#ifndef COMPARE_LOAD_H
#define COMPARE_LOAD_H

#include "base/attr.h"
#include "compare/gather.h"
#include "formats/format.h"
#include "report/report.h"

struct diag;
struct likeness;
struct input;
struct input_watch;
struct request;

/* A run with everything that it borrows from. */
struct loaded {
	struct run run;
	struct profile *profile;
	struct profile **single; /* of each run, where there are several; not filtered */
	size_t n_runs;
	char **file;		/* the first file of each run or baseline, on the heap */
	struct profile **whole; /* of each of these; NULL where it is a run itself */
	size_t n_files, representative;
};

/* Reads the n operands (files, "-", folders) and merges them to one run, filtered
 * by --op and --layer.  A baseline stands for the runs that it holds. */
MUST_CHECK bool load_run(struct loaded *ret, char *const *operand, size_t n,
			 const struct request *q, struct diag *diag);
void loaded_release(struct loaded *l);
/* The same before they are merged: each run, or baseline, by itself. */
MUST_CHECK bool load_runs(struct gathered *ret, char *const *operand, size_t n,
			  const struct request *q, struct diag *diag);
/* Its runs; they borrow from l, which must not move. */
struct runs_side loaded_runs(const struct loaded *l);

/* How files are read, with the names that the user gave for keys. */
struct reading_options {
	struct read_options read;

	/* Its own. */
	struct input in;
	struct names *names;
};
/* Reads the names that the request asks for; false when an error was reported. */
MUST_CHECK bool reading_options_of(const struct request *q, struct reading_options *ret,
				   struct diag *diag);
/* Frees the names. */
void reading_options_release(struct reading_options *o);

/* The profile of one file; NULL when an error was reported.  Any thread.  Where the file says
 * whose it is and when it was, *ret_digest says which bytes it had. */
MUST_CHECK struct profile *load_file(const char *path, const struct request *q,
				     const struct read_options *options, uint64_t *ret_digest,
				     struct diag *diag);
/* Leaves the operations that --op and --layer choose; tells when there are none. */
void choose_operations(struct profile *p, const struct request *q, struct diag *diag);

/* Warns of a run that has little in common with the others. */
void report_unlike(const char *path, const struct likeness *l, struct diag *diag);
/* The same of the files of one run, unless some of its operations were left out. */
void report_unlike_files(const struct loaded *l, const struct request *q, struct diag *diag);

/* Whether --op and --layer choose this operation. */
bool is_wanted(const struct operation *op, const struct request *q);

/* The baseline that the run is, or NULL: its floors and what it was measured on. */
const struct profile *loaded_baseline(const struct loaded *l);

/* Both sides of a comparison. */
MUST_CHECK bool load_sides(struct loaded *ret_before, struct loaded *ret_after,
			   const struct request *q, struct diag *diag);

#endif
