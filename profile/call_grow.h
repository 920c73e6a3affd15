/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Trees of calls out of what readers push: a sink (profile/call_sink.h).
 *
 * Calls of one thread are taken as they come, in memory that goes with the calls that are
 * open.  Waits are pushed before the calls that they lie in.  Held until the end are only
 * spans, calls that come in no order, and all calls where some are linked to others.
 */
#ifndef PROFILE_CALL_GROW_H
#define PROFILE_CALL_GROW_H

#include "profile/call_tree.h"

struct call_meanwhile;
struct diag;

enum {
	CALL_MAX_OPEN = 65536, /* calls of a thread */
	CALL_MAX_PAUSES = 1 << 20,
};

/* --link SUBMIT:I=SERVE:J */
struct call_link {
	struct str submit, serve; /* empty: none */
	unsigned submit_argument, serve_argument;
};

/* Which calls make the tree, and how their times are counted. */
struct call_grow_options {
	const char *function;  /* name or pattern */
	bool exact;	       /* only the name itself */
	const char *task;      /* pattern of threads; NULL: all */
	const char *within;    /* only calls below one of that name; NULL: all */
	const char *interrupt; /* pattern of further interrupts; NULL: none */
	bool unfold;
	bool sort;	   /* whole calls are held and put into order */
	bool filter;	   /* --range: only its edges are added */
	double low, high;  /* of it */
	uint64_t decision; /* largest contributors are counted in so many calls; 0: in all */
	bool no_maxcounts; /* they are counted in none */
	int64_t overhead;  /* ns that each call costs its caller; 0: nothing is subtracted */
	struct call_link link;
	bool pauses;			  /* are kept, for what others did meanwhile */
	struct call_meanwhile *meanwhile; /* not NULL: the tree is not grown, they are held
					   * against this */
};

struct call_grow;

/* An empty tree in the making; call_grow_free() frees it. */
struct call_grow *call_grow_new(const struct call_grow_options *o);
void call_grow_free(struct call_grow *g); /* NULL is fine */
struct call_sink *call_grow_sink(struct call_grow *g, enum call_pass pass);

/* What was held is put into the tree; open calls are given up. */
void call_grow_finish(struct call_grow *g);

struct call_tree *call_grow_tree(const struct call_grow *g); /* stays its own */
/* After finishing, for the caller to keep. */
struct call_tree *call_grow_take(struct call_grow *g);

/* Names that fit the function, by number of the tree's names. */
size_t call_grow_matches(const struct call_grow *g, const uint32_t **ret);
/* Whole calls came in no order: all of it has to be read again with `sort`. */
bool call_grow_wants_order(const struct call_grow *g);
/* More calls of a thread were open than CALL_MAX_OPEN; they count as lost. */
bool call_grow_is_deep(const struct call_grow *g);
/* Ends that do not fit their begins, or times that run backwards: more than one of a hundred. */
bool call_grow_is_tangled(const struct call_grow *g);
/* Times that calls of the function waited; *ret_more: there were too many to keep all. */
size_t call_grow_pauses(const struct call_grow *g, const struct call_pause **ret, bool *ret_more);

#endif
