/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names in the text files that osprof writes and reads back: plain, or in double quotes
 * where they would be misread.  A name may hold any byte.
 */
#ifndef BASE_QUOTED_H
#define BASE_QUOTED_H

#include "base/attr.h"
#include "base/str.h"

struct arena;
struct cursor;
struct out;

/* Parses `s`, not empty, as a name.  A quoted one is decoded into the arena.  False
 * when the quote is not closed or an escape is invalid. */
MUST_CHECK bool quoted_parse(struct arena *a, struct str s, struct str *ret);
/* Consumes a quoted name; without one returns false and consumes nothing. */
MUST_CHECK bool quoted_scan(struct arena *a, struct cursor *c, struct str *ret);

void quoted_write(struct out *o, struct str name); /* in quotes where needed */
void quoted_write_always(struct out *o, struct str name);

#endif
