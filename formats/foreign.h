/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files that are not profiles: images, archives, programs, binary recordings of tools.  They are
 * recognised by their first bytes; most can be converted into something that osprof reads.
 */
#ifndef FORMATS_FOREIGN_H
#define FORMATS_FOREIGN_H

#include <stdbool.h>

#include "base/str.h"

struct diag;
struct input;

/* A kind of file that is not a profile, for the message about it; strings are static. */
struct foreign {
	const char *what;   /* "a PNG image" */
	const char *advice; /* "unpack it"; % stands for the file, or with `folder` for its folder;
			       NULL: none */
	const char *calls;  /* advice where call trees are wanted; NULL: the same as `advice` */
	bool folder;	    /* all files of the folder are one recording */
	bool packed;	    /* compressed; a profile may be inside */
};

/* Returns NULL where the input may be a profile. */
const struct foreign *foreign_find(const struct input *in);
/* Does the same for kinds of text that may still contain a profile. */
const struct foreign *foreign_find_text(const struct input *in);
/* Returns the line of a short text that says why a program measured nothing; empty: there is none. */
struct str foreign_failure(const struct input *in);
/* Returns whether its first bytes include some that text does not have. */
bool foreign_is_binary(const struct input *in);
/* Reports an error about the file; `calls`: call trees are wanted. */
void foreign_report(const struct foreign *f, bool calls, struct input *in, struct diag *diag);

#endif
