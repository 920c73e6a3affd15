/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a print told of, for files that hold several without a line between them: the next
 * one begins with what comes again.
 */
#ifndef FORMATS_TOLD_H
#define FORMATS_TOLD_H

#include "base/attr.h"
#include "base/str_table.h"

struct arena;

/* All zero at first. */
struct told {
	struct str_table of;
	struct arena *arena; /* of their names */
};

void told_release(struct told *t);
/* Whether the print at hand told of this already; then another one begins, with this. */
MUST_CHECK bool told_again(struct told *t, struct str what);

#endif
