/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Output files that appear whole or not at all, and replace nothing unasked. */
#ifndef BASE_OUTFILE_H
#define BASE_OUTFILE_H

#include <stdbool.h>

#include "base/attr.h"

struct diag;
struct out;

/* One output file while it is written: to a temporary file, which is renamed when it is whole. */
struct outfile {
	struct out *out;
	void *file;		/* a FILE; NULL: standard output, borrowed */
	char *path, *temporary; /* no temporary: a device or a pipe */
	bool force;
	bool unnamed; /* the temporary has no name yet */
};

/* Standard output, devices and pipes are written to, not replaced. */
bool outfile_is_special(const char *path);
/* PATH NULL or "-": `standard`, which stays open. */
MUST_CHECK bool outfile_open(struct outfile *ret, const char *path, bool force,
			     struct out *standard, struct diag *diag);
/* Whether outfile_open() and outfile_commit() would do, tried out without a trace: before
 * long work whose result would be lost. */
MUST_CHECK bool outfile_check(const char *path, bool force, struct diag *diag);
/* Puts the file in its place; false, leaving everything as it was, when that fails. */
MUST_CHECK bool outfile_commit(struct outfile *f, struct diag *diag);
/* Closes standard output; false, with an error reported, when not all of it could be written. */
MUST_CHECK bool outfile_close_standard(struct out *standard, struct diag *diag);
void outfile_discard(struct outfile *f);

#endif
