/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The names that a snapshot has printed so far, for files in which nothing separates snapshots: a
 * name that is repeated begins the next snapshot.
 */
#ifndef FORMATS_REPORTED_H
#define FORMATS_REPORTED_H

#include "base/attr.h"
#include "base/tables/str_table.h"

struct arena;

/* Zero it before use. */
struct reported {
	struct str_table of;
	struct arena *arena; /* holds the names */
};

/* Frees the list. */
void reported_release(struct reported *t);
/* Adds a name.  True when the current snapshot already had it: the next snapshot begins with it. */
MUST_CHECK bool reported_again(struct reported *t, struct str what);

#endif
