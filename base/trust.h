/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that nobody else can have changed or put in the place of another. */
#ifndef BASE_TRUST_H
#define BASE_TRUST_H

#include "base/attr.h"

struct diag;

/* What a file is used for, which decides whose files are trusted. */
enum trust {
	TRUST_CODE, /* to run: of this user or root, in a folder that only they write to */
	TRUST_DATA, /* to read: the folder may be a sticky one like /tmp; root reads of any user */
};

/* The real path of a regular file, on the heap, which belongs to this user or to root and
 * which others may not write to, nor to a folder above it (but sticky ones, where the next
 * folder cannot be replaced). NULL: the reason was reported. */
MUST_CHECK char *trust_file(const char *path, enum trust how, struct diag *diag);

#endif
