/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files that are no profiles: images, archives, programs, what tools recorded in binary.
 * They are known by their first bytes, and most can be turned into something that is read.
 */
#ifndef FORMATS_FOREIGN_H
#define FORMATS_FOREIGN_H

#include <stdbool.h>

struct diag;
struct input;

/* A kind of file that is no profile, for the message about it; strings are static. */
struct foreign {
	const char *what; /* "a PNG image" */
	const char
		*advice;   /* "unpack it"; % is the file, or with `folder` its folder; NULL: none */
	const char *calls; /* the same where call trees are wanted; NULL: `advice` */
	bool folder;	   /* all files of its folder are one recording */
	bool packed;	   /* a profile may be in it, compressed */
};

/* NULL: it may be a profile. */
const struct foreign *foreign_find(const struct input *in);
/* The same of what is text, and may hold a profile nevertheless. */
const struct foreign *foreign_find_text(const struct input *in);
/* Whether there are bytes near its beginning that text does not have. */
bool foreign_is_binary(const struct input *in);
/* Reports it as an error; `calls`: call trees are wanted of it. */
void foreign_report(const struct foreign *f, bool calls, struct input *in, struct diag *diag);

#endif
