/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks that no other user can have written or replaced a file. */
#ifndef BASE_TRUST_H
#define BASE_TRUST_H

#include "base/attr.h"

struct diag;

/* The use of a file, which decides whose files are trusted. */
enum trust {
	TRUST_CODE, /* code to run: only this user or root may write to its folder */
	TRUST_DATA, /* data: the folder may be sticky, like /tmp; root trusts files of any user */
};

/* Checks that a regular file and all folders above it belong to this user or root, and that others
 * cannot write to them (except to sticky folders, where they cannot replace the next folder).
 * Returns the real path, on the heap; NULL: an error was reported. */
MUST_CHECK char *trust_file(const char *path, enum trust how, struct diag *diag);

#endif
