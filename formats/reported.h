/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The names that a snapshot has printed so far, for files in which nothing separates one
 * snapshot from the next: a name that comes again begins the next snapshot.
 */
#ifndef FORMATS_REPORTED_H
#define FORMATS_REPORTED_H

#include "base/attr.h"
#include "base/str_table.h"

struct arena;

/* All zero at first. */
struct reported {
	struct str_table of;
	struct arena *arena; /* of their names */
};

/* Frees the list. */
void reported_release(struct reported *t);
/* Whether the current snapshot has this name already; then another one begins with it. */
MUST_CHECK bool reported_again(struct reported *t, struct str what);

#endif
