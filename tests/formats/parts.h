/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A text read whole and in parts: what is said of it and what becomes of it has to be the
 * same.
 */
#ifndef TESTS_FORMATS_PARTS_H
#define TESTS_FORMATS_PARTS_H

#include "formats/format.h"

struct out;

struct parts {
	size_t head, block; /* bytes that are read at first, and of each part */
};

enum { PARTS_LARGE = 1 << 30 }; /* more than any text */

/* All messages, then the profile in osprof's format.  The text is in memory, or in a file or
 * pipe, which is read from its beginning. */
struct out *parts_reported_whole(const struct format *f, const char *name, struct str text,
				 const struct read_options *o);
struct out *parts_reported(const struct format *f, const char *path, const struct parts *parts,
			   const struct read_options *o);

/* Where sums or intervals of several threads are together too large, the line at which they
 * become so is not known. */
bool parts_depend_on_threads(struct str reported);

#endif
