/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Nested time: how much of an operation's latency is spent in the operations below it, and
 * how much is its own (OSprof 3.1, 6.2; FSprof 5.1.1).
 *
 * A profile made from per-call records states this exactly.  Where it is only known that one
 * layer lies within another, each operation of the lower layer is charged to the upper layer
 * by the first of these rules that applies:
 *
 *	stated	to the only operation that can have called it
 *	name	to the operation of the same name, if that has at least as many calls
 *	count	to one with as many calls, or whose slowest peaks have as many calls
 *	shared	to all that have calls as long, in proportion to their time
 */
#ifndef ANALYZE_LAYERS_NESTED_H
#define ANALYZE_LAYERS_NESTED_H

#include "profile/profile.h"

struct arena;
struct diag;

/* How the time below an operation is known. */
enum below_how { BELOW_EXACT, BELOW_STATED, BELOW_NAME, BELOW_COUNT, BELOW_SHARED };
const char *below_how_name(enum below_how how); /* "count" */

/* The calls of `lower`, or of several operations of a layer, that lie below `upper`. */
struct below {
	const struct operation *upper;
	const struct operation *lower; /* NULL: several, of `layer` */
	struct str layer;
	enum below_how how;
	double reached; /* calls of `upper` that contain at least one; NAN: not known */
	double calls;	/* of `lower` */
	double total;	/* latency of these calls */
};

/* Which operations lie within which, and each one's own time in the profile's unit. */
struct nested {
	struct below *below; /* by `upper` in the order of operations, then by falling total */
	size_t n_below;
	double *own; /* own time of each operation */
	enum own_time *known;
	size_t n_used;	   /* nest statements that match operations */
	size_t n_unusable; /* statements that were not used, with a diagnostic */
};

/* Computes the nesting of a profile, in the arena.  Reports cycles of statements, and more time
 * below than above, to diag; `source` names the run there. */
struct nested nested_of(struct arena *a, const struct profile *p, struct str source,
			struct diag *diag);

/* Sets own and own_known of each operation. */
void nested_mark(struct profile *p, struct diag *diag);

#endif
