/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compressed bytes into plain ones, a piece at a time and in constant memory.
 *
 *	enum expanded what = expander_run(e, &rest, room, n_room, &n);
 *
 * takes bytes off the front of `rest` and puts n bytes into `room`.  A file may
 * hold several members (gzip) or frames (zstd) behind one another: they read as
 * one text.
 */
#ifndef BASE_EXPAND_H
#define BASE_EXPAND_H

#include "base/attr.h"
#include "base/str.h"

enum compression {
	COMPRESSION_NONE,
	COMPRESSION_GZIP,
	COMPRESSION_ZSTD,
};

enum { COMPRESSION_HEAD = 4 }; /* bytes that compression_of() wants to see */

enum compression compression_of(struct str head);

struct expander;

struct expander *expander_new(enum compression c);
void expander_free(struct expander *e); /* NULL is fine */

enum expanded {
	EXPANDED_PART, /* within a member: more input, or more room, is wanted */
	EXPANDED_END,  /* a member is complete, checksum included */
	EXPANDED_BAD,  /* expander_why() tells */
};

MUST_CHECK enum expanded expander_run(struct expander *e, struct str *from, char *to, size_t room,
				      size_t *ret_n);
const char *expander_why(const struct expander *e);

#endif
