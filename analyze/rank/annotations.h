/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Annotations of operations: marks, notes and expected verdicts.
 *
 * They are kept beside the run in a hidden text file, which osprof(1) describes.  The
 * browser shows them, and `osprof rank` does not fail for an expected verdict.
 */
#ifndef ANALYZE_RANK_ANNOTATIONS_H
#define ANALYZE_RANK_ANNOTATIONS_H

#include "analyze/rank/rank.h"

struct arena;
struct diag;
struct input;
struct out;

/* The annotation of one operation. */
struct annotation {
	struct str name, layer; /* of the operation */
	struct str note;	/* empty when there is none */
	unsigned expected;	/* set of verdicts, as bits 1U << VERDICT_X */
	bool marked;
};

/* All annotations of a run or comparison; they own their arena. */
struct annotations {
	struct arena *arena;
	struct annotation_slot *slots; /* hash table by operation, iterated in insertion order */
	bool changed;		       /* modified since it was read or written */
};

/* Returns an empty set; annotations_free() frees it. */
struct annotations *annotations_new(void);
void annotations_free(struct annotations *r); /* NULL is fine */

/* Reads a file of annotations.  Returns NULL, with an error reported, when it is malformed. */
struct annotations *annotations_read(struct input *in, struct diag *diag);
void annotations_write(const struct annotations *r, struct out *o);

/* Returns the annotation of an operation, or NULL. */
struct annotation *annotations_find(const struct annotations *r, const struct operation *op);
/* Returns the annotation of an operation, adding an empty one when there is none. */
struct annotation *annotations_on(struct annotations *r, const struct operation *op);
/* Copies the note into r's arena and sets r->changed. */
void annotation_set_note(struct annotations *r, struct annotation *on, struct str note);

bool annotation_expects(const struct annotation *r, enum verdict v); /* r may be NULL */

#endif
