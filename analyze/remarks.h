/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a person remarked on operations: marks, notes, verdicts that are expected.
 *
 * Kept beside the run in a hidden text file, which osprof(1) describes; a
 * later opening of the browser shows them, and `osprof rank` does not fail for a
 * verdict that is expected.
 */
#ifndef ANALYZE_REMARKS_H
#define ANALYZE_REMARKS_H

#include "analyze/rank.h"

struct arena;
struct diag;
struct input;
struct out;

struct remark {
	struct str name, layer; /* of the operation */
	struct str note;	/* empty: none */
	unsigned expected;	/* verdicts, bits 1U << VERDICT_X */
	bool marked;
};

struct remarks {
	struct arena *arena;
	struct remark_slot *slots; /* by operation, in the order of their making */
	bool changed;		   /* since it was read or written */
};

struct remarks *remarks_new(void);
void remarks_free(struct remarks *r); /* NULL is fine */

/* What a file holds; NULL when an error was reported. */
struct remarks *remarks_read(struct input *in, struct diag *diag);
void remarks_write(const struct remarks *r, struct out *o);

/* NULL when nothing was remarked on it. */
struct remark *remarks_find(const struct remarks *r, const struct operation *op);
/* The same; made when there is none. */
struct remark *remarks_on(struct remarks *r, const struct operation *op);
void remark_set_note(struct remarks *r, struct remark *on, struct str note);

bool remark_expects(const struct remark *r, enum verdict v); /* r may be NULL */

#endif
