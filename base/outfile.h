/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Output files that are written atomically and replace existing files only with --force. */
#ifndef BASE_OUTFILE_H
#define BASE_OUTFILE_H

#include <stdbool.h>

#include "base/attr.h"

struct diag;
struct out;

/* An output file being written: a temporary file, renamed when it is complete. */
struct outfile {
	struct out *out;
	void *file;		/* a FILE; NULL: standard output, borrowed */
	char *path, *temporary; /* temporary NULL: a device or a pipe */
	bool force;
	bool unnamed; /* the temporary file has no name yet */
};

/* Whether the path is a device or a pipe, which is written to, not replaced. */
bool outfile_is_special(const char *path);
/* Opens PATH for output; NULL or "-": `standard`, which stays open. */
MUST_CHECK bool outfile_open(struct outfile *ret, const char *path, bool force,
			     struct out *standard, struct diag *diag);
/* Tries whether outfile_open() would succeed, without leaving a trace: called before long work,
 * whose result would otherwise be lost. */
MUST_CHECK bool outfile_check(const char *path, bool force, struct diag *diag);
/* Gives the file its name.  On failure returns false and leaves everything as it was. */
MUST_CHECK bool outfile_commit(struct outfile *f, struct diag *diag);
/* Closes standard output; reports an error and returns false when some of it was not written. */
MUST_CHECK bool outfile_close_standard(struct out *standard, struct diag *diag);
void outfile_discard(struct outfile *f);
/* Makes a folder unless it exists. */
MUST_CHECK bool outfile_make_folder(const char *path, struct diag *diag);

#endif
