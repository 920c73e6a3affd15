/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads runs from operands. */
#ifndef LOAD_LOAD_H
#define LOAD_LOAD_H

#include "base/attr.h"
#include "formats/format.h"
#include "load/gather.h"
#include "report/report.h"

struct diag;
struct likeness;
struct input;
struct input_watch;
struct load_options;

/* A run with everything that it borrows from; loaded_release() frees it. */
struct loaded {
	struct run run;
	struct profile *profile; /* sum of all runs, filtered by --op and --layer */
	struct profile **single; /* the runs, if there are several; not filtered */
	size_t n_runs;
	char **file;		/* the first file of each run or baseline, on the heap */
	struct profile **whole; /* by file: the baseline; NULL for a run */
	size_t n_files, representative;
};

/* Reads n operands (files, "-", folders) and merges them into one run, filtered by --op and
 * --layer.  A baseline stands for the runs that it holds.  False when an error was reported. */
MUST_CHECK bool load_run(struct loaded *ret, char *const *operand, size_t n,
			 const struct load_options *q, struct diag *diag);
/* The same, but the repetitions that a single file holds are the runs, and the profile is their
 * sum.  Of several files each is a run: repetitions of one process share what makes processes
 * differ. */
MUST_CHECK bool load_repetitions(struct loaded *ret, char *const *operand, size_t n,
				 const struct load_options *q, struct diag *diag);
void loaded_release(struct loaded *l);
/* Reads n operands without merging them: each run or baseline by itself. */
MUST_CHECK bool load_runs(struct gathered *ret, char *const *operand, size_t n,
			  const struct load_options *q, struct diag *diag);
/* Returns the runs; they borrow from l, which must not move. */
struct runs_side loaded_runs(const struct loaded *l);

/* How files are read, with the names that the user gave for keys. */
struct reading_options {
	struct read_options read;

	/* Private. */
	struct input in;
	struct names *names;
};
/* Reads the names that --names asks for; false when an error was reported. */
MUST_CHECK bool reading_options_of(const struct load_options *q, struct reading_options *ret,
				   struct diag *diag);
/* Frees the names. */
void reading_options_release(struct reading_options *o);

/* Reads the profile of one file; NULL when an error was reported.  Thread-safe.  If the file states
 * its host and time, *ret_digest (may be NULL) is the digest of its bytes, else 0. */
MUST_CHECK struct profile *load_file(const char *path, const struct load_options *q,
				     const struct read_options *options, uint64_t *ret_digest,
				     struct diag *diag);
/* Keeps only the operations that --op and --layer select; reports it if there are none. */
void choose_operations(struct profile *p, const struct load_options *q, struct diag *diag);

/* Warns of a run that has little in common with the others. */
void report_unlike(const char *path, const struct likeness *l, struct diag *diag);
/* Warns of an unlike run among several, unless --op or --layer was given. */
void report_unlike_files(const struct loaded *l, const struct load_options *q, struct diag *diag);

/* Whether --op and --layer select this operation. */
bool is_wanted(const struct operation *op, const struct load_options *q);

/* Returns the baseline if that is all that was loaded, else NULL; it has the noise floors. */
const struct profile *loaded_baseline(const struct loaded *l);

/* Loads both sides of a comparison; false when an error was reported. */
MUST_CHECK bool load_sides(struct loaded *ret_before, struct loaded *ret_after,
			   const struct load_options *q, struct diag *diag);

#endif
