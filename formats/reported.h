/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a print told of, for files that hold several without a line between them: the next
 * one begins with what comes again.
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
/* Whether the current print told of this already; then another one begins, with this. */
MUST_CHECK bool reported_again(struct reported *t, struct str what);

#endif
