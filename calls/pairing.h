/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Matches start and end events of calls, for formats that print them apart.
 *
 * A slot is what can have open calls: a thread, or a device and a sector.  Names
 * are copied.  Memory grows with the calls that are open at a time.
 */
#ifndef CALLS_PAIRING_H
#define CALLS_PAIRING_H

#include <stdint.h>

#include "base/attr.h"
#include "base/decimal.h"
#include "base/str.h"

struct diag;
struct input;
struct pairing;

/* How calls of one slot can overlap. */
enum pairing_order {
	PAIRING_SINGLE, /* a slot has at most one open call: a begin replaces it */
	PAIRING_NESTED, /* calls of a slot nest */
};

/* What calls are matched by: two numbers of the reader's choice, such as process and thread. */
struct pairing_slot {
	uint64_t who, what;
};

/* Returns an empty table of open calls; pairing_free() frees it. */
struct pairing *pairing_new(enum pairing_order order);
void pairing_free(struct pairing *p); /* NULL is fine */
/* Returns a copy of the open calls, without the counts of unmatched events. */
struct pairing *pairing_copy(const struct pairing *p);
uint64_t pairing_n_open(const struct pairing *p); /* calls */

/* Begins a call of this name in the slot. */
void pairing_begin(struct pairing *p, struct pairing_slot slot, struct str name, struct decimal at);

enum { PAIRING_REACH = 64 };

/* Ends the innermost open call of that name (empty: of any), and the calls within it, whose own
 * ends are missing.  Stores the time it began in *ret_began, and its name in *ret_name, which is
 * valid until the next call begins.  False without such a call among the PAIRING_REACH innermost
 * ones; with PAIRING_SINGLE the open call is then dropped. */
MUST_CHECK bool pairing_end(struct pairing *p, struct pairing_slot slot, struct str name,
			    struct str *ret_name, struct decimal *ret_began);

/* Whether pairing_end() would find a call. */
bool pairing_is_open(const struct pairing *p, struct pairing_slot slot, struct str name);

/* Drop the open calls of a slot, or of all slots, as events were lost; these calls count as
 * unmatched. */
void pairing_forget(struct pairing *p, struct pairing_slot slot);
void pairing_forget_all(struct pairing *p);

/* Reports the number of unmatched start and end events; open calls are unmatched unless they
 * `go_on`. */
void pairing_report(const struct pairing *p, bool go_on, struct input *in, struct diag *diag);

#endif
