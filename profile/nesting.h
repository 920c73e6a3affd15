/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Self time out of calls within calls: for readers that see when each call begins and ends.
 *
 * A call's self time is its latency without that of the calls directly within it.  Calls
 * are pushed in the order of the file and kept by thread as long as they are open; what calls
 * what, and how often, is kept to the end.
 */
#ifndef PROFILE_NESTING_H
#define PROFILE_NESTING_H

#include <stdint.h>

#include "base/decimal.h"
#include "base/str.h"
#include "profile/pairing.h"

struct builder;
struct nesting;

/* Of a call that ended. */
struct nested_call {
	struct decimal self;
	bool outermost; /* it lies in no call of the same operation */
	bool known;	/* else of `self` nothing is known */
};

/* No calls yet; nesting_free() frees it. */
struct nesting *nesting_new(void);
void nesting_free(struct nesting *n); /* NULL is fine */

/* The number of an operation, from 1. */
uint32_t nesting_number(struct nesting *n, struct str layer, struct str name);

/* A call of the operation begins on the thread. */
void nesting_enter(struct nesting *n, struct pairing_slot thread, uint32_t op);
/* The innermost call of this operation ends, any where it is 0, and those within it whose
 * ends are missing.  Without such a call one that began before the first event ends. */
struct nested_call nesting_leave(struct nesting *n, struct pairing_slot thread, uint32_t op,
				 struct decimal latency);
/* The innermost call ends, which there is; of its latency only `within` lies in the call around
 * it. */
struct nested_call nesting_leave_within(struct nesting *n, struct pairing_slot thread,
					struct decimal latency, struct decimal within);
/* The same of a call that is not counted: how long it took is not known. */
void nesting_abandon(struct nesting *n, struct pairing_slot thread, uint32_t op);
/* A call without others within it. */
struct nested_call nesting_leaf(struct nesting *n, struct pairing_slot thread, uint32_t op,
				struct decimal latency);
/* A call of `upper` has one of `lower` directly within it, `first` the first of that. */
void nesting_state(struct nesting *n, uint32_t upper, uint32_t lower, bool first,
		   struct decimal latency);
/* The open calls of a thread are given up, of all where it is NULL: what lies directly within them
 * lies within no call that is known. */
void nesting_forget(struct nesting *n, const struct pairing_slot *thread);

/* What was told of calls is forgotten; operations keep their numbers. */
void nesting_restart(struct nesting *n);
/* The layer and the name of an operation, by its number; they live as long as `n`. */
void nesting_name(const struct nesting *n, uint32_t op, struct str *ret_layer,
		  struct str *ret_name);

/* Whether any call lies in another one. */
bool nesting_is_any(const struct nesting *n);
/* Whether what lies in what could be seen: tracers that show slow calls only show ends alone. */
bool nesting_is_known(const struct nesting *n);
/* What calls what; calls that have not ended are given up first. */
void nesting_push(struct nesting *n, struct builder *b);

#endif
