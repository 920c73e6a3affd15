/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --nest: what calls what, where files do not say. */
#ifndef COMPARE_NEST_OPTION_H
#define COMPARE_NEST_OPTION_H

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct diag;
struct nest;
struct profile;

/* The statements of all --nest options; in its arena. */
struct nest_option {
	struct arena *arena; /* NULL: it was not given */
	struct nest *v;
	size_t n, cap;
	bool none; /* nothing lies within anything else, whatever files say */
};

/* "UPPER>LOWER" or "none".  NULL, or what was expected. */
const char *nest_option_take(struct nest_option *o, const char *arg);
void nest_option_release(struct nest_option *o);

/* Adds the statements to those of a file, and tells which of them nothing in it fits. */
void nest_option_add(const struct nest_option *o, struct profile *p, struct diag *diag);
/* Notes in each operation of a run what of its time is its own. */
void nest_option_mark(const struct nest_option *o, struct profile *p, struct diag *diag);

#endif
