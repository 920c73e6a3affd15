/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What calls what: statements of nesting, as files and command lines make them.
 *
 *	syscall > block			layers
 *	read > block			an operation, and a layer
 *	"syscall"/"read" > "block"	the same, whatever else has the name
 *
 * A name is that of a layer, where the profile has one, else that of operations, in any
 * layer.
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
	bool both;	  /* an operation of this layer */
	struct str layer; /* matters with `both` */
	struct str name;
};

/* One statement that calls of `lower` are made within calls of `upper`. */
struct nest {
	struct nest_end upper, lower;
	bool measured;	      /* per-call records told what follows */
	uint64_t reached;     /* calls of the upper one with one of the lower one in them */
	uint64_t calls;	      /* of the lower one, directly in one of the upper one */
	struct decimal total; /* their latency */
};

int nest_cmp(const struct nest *a, const struct nest *b); /* by what they are about */

/* Puts statements in order; those about the same become one, whose counts are added up where
 * both are measured.  False when a sum does not fit. */
MUST_CHECK bool nests_sort(struct nest *v, size_t *n);
void nest_copy(struct arena *a, const struct nest *from, struct nest *to);

/* "UPPER > LOWER", or a chain of more, which is several statements.  Names are bare, where
 * they hold no '>', or quoted.  NULL, or what is wrong; bare names borrow from the text. */
MUST_CHECK const char *nest_parse(struct arena *a, struct str text, struct nest **ret,
				  size_t *ret_n);
/* The same text again. */
void nest_write(struct out *o, const struct nest *n);
void nest_end_write(struct out *o, const struct nest_end *e);

#endif
