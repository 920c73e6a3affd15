/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Calls out of their begins and ends: for formats that print both apart.
 *
 * A slot is what can have calls open: a thread, or a device and a sector.  Names
 * are copied.  Memory grows with the calls that are open at a time.
 */
#ifndef PROFILE_PAIRING_H
#define PROFILE_PAIRING_H

#include <stdint.h>

#include "base/attr.h"
#include "base/decimal.h"
#include "base/str.h"

struct diag;
struct input;
struct pairing;

/* How calls of one slot can overlap. */
enum pairing_order {
	PAIRING_SINGLE, /* a slot has one call: a begin takes the place of an open one */
	PAIRING_NESTED, /* calls of a slot lie within one another */
};

/* What calls are matched by: two numbers of the reader's choice, as process and thread. */
struct pairing_slot {
	uint64_t who, what;
};

/* Matches start and end events; pairing_free() frees it. */
struct pairing *pairing_new(enum pairing_order order);
void pairing_free(struct pairing *p); /* NULL is fine */
/* The open calls alone: what was unmatched before is not told again. */
struct pairing *pairing_copy(const struct pairing *p);
uint64_t pairing_n_open(const struct pairing *p); /* calls */

/* A call of this name began in the slot. */
void pairing_begin(struct pairing *p, struct pairing_slot slot, struct str name, struct decimal at);

enum { PAIRING_REACH = 64 };

/* The end of the innermost open call of that name, any where the name is empty, and
 * of the calls within it, whose own ends are missing.  *ret_name is the name it began
 * with, until the next one begins, *ret_began when.  False without such a call among the
 * PAIRING_REACH innermost ones; of PAIRING_SINGLE the open one is given up then. */
MUST_CHECK bool pairing_end(struct pairing *p, struct pairing_slot slot, struct str name,
			    struct str *ret_name, struct decimal *ret_began);

/* Whether there is such a call. */
bool pairing_is_open(const struct pairing *p, struct pairing_slot slot, struct str name);

/* The open calls of a slot are given up, or of all slots: events were lost. */
void pairing_forget(struct pairing *p, struct pairing_slot slot);
void pairing_forget_all(struct pairing *p);

/* Notes how many begins and ends have no partner, those still open included unless they `go_on`. */
void pairing_report(const struct pairing *p, bool go_on, struct input *in, struct diag *diag);

#endif
