/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Builds trees of calls from what readers push: a sink (calls/call_sink.h).
 *
 * Calls of a thread are added as they come, in memory that grows with the open calls.  Waits must
 * be pushed before the calls that they lie in.  Only spans, calls in no order, and calls that may
 * be linked to others are held until the end.
 */
#ifndef CALLS_CALL_GROW_H
#define CALLS_CALL_GROW_H

#include "calls/call_tree.h"
#include "calls/span_skew.h"

struct call_meanwhile;
struct diag;

enum {
	CALL_MAX_OPEN = 65536, /* open calls of a thread */
	CALL_MAX_PAUSES = 1 << 20,
};

/* The option --link SUBMIT:I=SERVE:J */
struct call_link {
	struct str submit, serve; /* empty: not given */
	unsigned submit_argument, serve_argument;
};

/* Which calls make the tree, and how their times are counted. */
struct call_grow_options {
	const char *function;  /* name, with or without the service of a span, or pattern */
	bool exact;	       /* only the name itself */
	const char *task;      /* pattern of threads; NULL: all */
	const char *within;    /* only calls below one of that name; NULL: all */
	const char *interrupt; /* pattern of further interrupts; NULL: none */
	bool unfold;	       /* recursive calls have nodes of their own */
	bool sort;	       /* events are held and sorted at the end */
	bool filter;	       /* --range was given: its edges are added to the buckets */
	double low, high;      /* the range */
	uint64_t decision;     /* calls in which the largest contributors are counted; 0: all */
	bool no_maxcounts;     /* never count the largest contributors */
	int64_t overhead;      /* ns that each call costs its caller; 0: nothing is subtracted */
	struct call_link link;
	bool pauses;			  /* keep waits, for call_meanwhile_new() */
	struct call_meanwhile *meanwhile; /* if not NULL, calls are passed to it and no tree is
					   * built */
};

struct call_grow;

/* Returns a builder with an empty tree; call_grow_free() frees it. */
struct call_grow *call_grow_new(const struct call_grow_options *o);
void call_grow_free(struct call_grow *g); /* NULL is fine */
/* Returns the sink to push to, which belongs to g. */
struct call_sink *call_grow_sink(struct call_grow *g, enum call_pass pass);

/* Adds held calls to the tree, and drops open ones. */
void call_grow_finish(struct call_grow *g);

struct call_tree *call_grow_tree(const struct call_grow *g); /* belongs to g */
/* Hands the finished tree over to the caller. */
struct call_tree *call_grow_take(struct call_grow *g);

/* Returns the names that match the function, as numbers in the tree's names. */
size_t call_grow_matches(const struct call_grow *g, const uint32_t **ret);
/* Whether calls came in no order, or are linked: the trace has to be read again with `sort`. */
bool call_grow_wants_order(const struct call_grow *g);
/* Whether a thread had more than CALL_MAX_OPEN open calls, which were then dropped. */
bool call_grow_is_deep(const struct call_grow *g);
/* How far spans of other hosts were moved to the clock of their callers. */
struct skew call_grow_skew(const struct call_grow *g);
/* Whether more than 1 % of ends do not end the innermost call, or as many events go back in
 * time. */
bool call_grow_is_tangled(const struct call_grow *g);
/* Returns the times that calls of the function waited; *ret_more says that there were too many to
 * keep all. */
size_t call_grow_pauses(const struct call_grow *g, const struct call_pause **ret, bool *ret_more);

#endif
