/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The option --nest: states what calls what if files do not. */
#ifndef LOAD_NEST_OPTION_H
#define LOAD_NEST_OPTION_H

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct diag;
struct nest;
struct profile;

/* The statements of all --nest options, in its arena. */
struct nest_option {
	struct arena *arena; /* NULL: there are no statements */
	struct nest *v;
	size_t n, cap;
	bool none; /* --nest none: ignore nesting, whatever files state */
};

/* Adds an argument, "UPPER>LOWER" or "none".  Returns NULL, or what was expected. */
const char *nest_option_take(struct nest_option *o, const char *arg);
void nest_option_release(struct nest_option *o);

/* Adds the statements to those of a file, and reports those that match nothing in it. */
void nest_option_add(const struct nest_option *o, struct profile *p, struct diag *diag);
/* Sets the self time of each operation of a run. */
void nest_option_mark(const struct nest_option *o, struct profile *p, struct diag *diag);

#endif
