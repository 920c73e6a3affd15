/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Statements of nesting, in files and on command lines: what calls what.
 *
 *	syscall > block			layers
 *	read > block			an operation, and a layer
 *	"syscall"/"read" > "block"	the same, if others have the name, too
 *
 * A name is that of a layer if the profile has such a layer, else that of operations in any layer.
 */
#ifndef PROFILE_NEST_H
#define PROFILE_NEST_H

#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/decimal.h"
#include "base/str.h"

struct arena;
struct out;
struct profile;

/* One side of a statement: a layer, an operation, or an operation of a layer. */
struct nest_end {
	bool both;	  /* layer and name are given */
	struct str layer; /* used with `both` only */
	struct str name;
};

/* One statement that calls of `lower` are made within calls of `upper`. */
struct nest {
	struct nest_end upper, lower;
	bool measured;	      /* the counts below are known, from per-call records */
	uint64_t reached;     /* calls of `upper` that contain a call of `lower` */
	uint64_t calls;	      /* calls of `lower` directly within a call of `upper` */
	struct decimal total; /* total latency of these */
};

int nest_cmp(const struct nest *a, const struct nest *b); /* by upper, then lower */

/* Sorts statements and combines those with the same ends, adding up their counts if all are
 * measured.  False when a sum does not fit. */
MUST_CHECK bool nests_sort(struct nest *v, size_t *n);
void nest_copy(struct arena *a, const struct nest *from, struct nest *to);

/* Parses "UPPER > LOWER" or a longer chain, which is several statements.  Names that contain '>'
 * must be quoted.  Returns NULL, or a message; bare names borrow from the text. */
MUST_CHECK const char *nest_parse(struct arena *a, struct str text, struct nest **ret,
				  size_t *ret_n);
/* Writes a statement as text that nest_parse() reads. */
void nest_write(struct out *o, const struct nest *n);
void nest_end_write(struct out *o, const struct nest_end *e);

#endif
