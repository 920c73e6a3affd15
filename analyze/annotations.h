/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Annotations of operations: marks, notes, verdicts that are expected.
 *
 * Kept beside the run in a hidden text file, which osprof(1) describes; a
 * later opening of the browser shows them, and `osprof rank` does not fail for a
 * verdict that is expected.
 */
#ifndef ANALYZE_ANNOTATIONS_H
#define ANALYZE_ANNOTATIONS_H

#include "analyze/rank.h"

struct arena;
struct diag;
struct input;
struct out;

/* What a person noted about one operation. */
struct annotation {
	struct str name, layer; /* of the operation */
	struct str note;	/* empty: none */
	unsigned expected;	/* verdicts, bits 1U << VERDICT_X */
	bool marked;
};

/* All annotations of a run or comparison, by operation; in their arena. */
struct annotations {
	struct arena *arena;
	struct annotation_slot *slots; /* by operation, in the order of their making */
	bool changed;		       /* since it was read or written */
};

/* An empty set; annotations_free() frees it. */
struct annotations *annotations_new(void);
void annotations_free(struct annotations *r); /* NULL is fine */

/* What a file holds; NULL when an error was reported. */
struct annotations *annotations_read(struct input *in, struct diag *diag);
void annotations_write(const struct annotations *r, struct out *o);

/* NULL when it has no annotation. */
struct annotation *annotations_find(const struct annotations *r, const struct operation *op);
/* The same; made when there is none. */
struct annotation *annotations_on(struct annotations *r, const struct operation *op);
void annotation_set_note(struct annotations *r, struct annotation *on, struct str note);

bool annotation_expects(const struct annotation *r, enum verdict v); /* r may be NULL */

#endif
