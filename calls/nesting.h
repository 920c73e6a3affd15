/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computes self time from nested calls, for readers that see when each call begins and ends.
 *
 * A call's self time is its latency minus that of the calls directly within it.  Calls are
 * pushed in file order and kept by thread while they are open; what calls what, and how often,
 * is kept to the end.
 */
#ifndef CALLS_NESTING_H
#define CALLS_NESTING_H

#include <stdint.h>

#include "base/decimal.h"
#include "base/str.h"
#include "calls/pairing.h"

struct builder;
struct nesting;

/* What is known of a call when it ends. */
struct nested_call {
	struct decimal self;
	bool outermost; /* it lies in no call of the same operation */
	bool known;	/* `self` is valid */
};

/* Returns an empty table of calls; nesting_free() frees it. */
struct nesting *nesting_new(void);
void nesting_free(struct nesting *n); /* NULL is fine */

/* Returns the number of an operation, counted from 1; adds it if new. */
uint32_t nesting_number(struct nesting *n, struct str layer, struct str name);

/* Begins a call of the operation on the thread. */
void nesting_enter(struct nesting *n, struct pairing_slot thread, uint32_t op);
/* Ends the innermost call of this operation (0: of any), and the calls within it whose ends are
 * missing.  Without such a call, the end is of a call that began before the first event. */
struct nested_call nesting_leave(struct nesting *n, struct pairing_slot thread, uint32_t op,
				 struct decimal latency);
/* Ends the innermost call, which must exist; only `within` of its latency lies in the call around
 * it. */
struct nested_call nesting_leave_within(struct nesting *n, struct pairing_slot thread,
					struct decimal latency, struct decimal within);
/* Ends a call like nesting_leave() but does not count it, as its latency is not known. */
void nesting_abandon(struct nesting *n, struct pairing_slot thread, uint32_t op);
/* Adds a call without calls within it. */
struct nested_call nesting_leaf(struct nesting *n, struct pairing_slot thread, uint32_t op,
				struct decimal latency);
/* Counts a call of `lower` directly within a call of `upper`; `first` says that it is the first
 * such call within that one. */
void nesting_state(struct nesting *n, uint32_t upper, uint32_t lower, bool first,
		   struct decimal latency);
/* Drops the open calls of a thread, of all threads if NULL: calls directly within them then lie in
 * no known call. */
void nesting_forget(struct nesting *n, const struct pairing_slot *thread);

/* Drops all calls; operations keep their numbers. */
void nesting_restart(struct nesting *n);
/* Returns the layer and the name of an operation by its number; they live as long as `n`. */
void nesting_name(const struct nesting *n, uint32_t op, struct str *ret_layer,
		  struct str *ret_name);

/* Whether any call lies in another one. */
bool nesting_is_any(const struct nesting *n);
/* Whether nesting was visible: tracers that show only slow calls show ends without begins. */
bool nesting_is_known(const struct nesting *n);
/* Pushes what calls what to b; drops calls that have not ended first. */
void nesting_push(struct nesting *n, struct builder *b);

#endif
