/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Time within time: what of an operation's latency is spent in the operations below it, and
 * what is its own (OSprof 3.1, 6.2; FSprof 5.1.1).
 *
 * Where per-call records were seen, the profile says it exactly.  Where only layers are known to
 * lie within one another, each operation of the lower layer is charged to one of the upper
 * layer, by the first of these that holds:
 *
 *	stated	only one operation can have called it
 *	name	one of the same name, which is called as often or more
 *	count	one that is called as often, or whose slowest peaks have as many calls
 *	shared	all that have calls as long, in proportion to their time
 */
#ifndef ANALYZE_NESTED_H
#define ANALYZE_NESTED_H

#include "profile/profile.h"

struct arena;
struct diag;

/* How it is known what the operations below an operation took. */
enum below_how { BELOW_EXACT, BELOW_STATED, BELOW_NAME, BELOW_COUNT, BELOW_SHARED };
const char *below_how_name(enum below_how how); /* "count" */

/* What lies below one operation in another, or where it is shared in a whole layer. */
struct below {
	const struct operation *upper;
	const struct operation *lower; /* NULL: several, of `layer` */
	struct str layer;
	enum below_how how;
	double reached; /* calls of the upper one that have one in them; NAN: not known */
	double calls;	/* of the lower one */
	double total;	/* their latency */
};

/* Which operations lie within which, and each one's own time in the profile's unit. */
struct nested {
	struct below *below; /* by `upper` in the order of operations, then falling total */
	size_t n_below;
	double *own; /* of each operation */
	enum own_time *known;
	size_t n_used;	   /* statements that fit operations */
	size_t n_unusable; /* those that were set aside, which was reported */
};

/* `source` names the run in what is reported: cycles, and more time below than above. */
struct nested nested_of(struct arena *a, const struct profile *p, struct str source,
			struct diag *diag);

/* Notes in each operation what is its own. */
void nested_mark(struct profile *p, struct diag *diag);

#endif
