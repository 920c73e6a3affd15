/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Values of calls as variables, for osprof values: a tracer prints arguments where a call begins,
 * and the call is counted where it ends.
 */
#ifndef FORMATS_CALL_VALUES_H
#define FORMATS_CALL_VALUES_H

#include "calls/call_sink.h"

struct call_values;
struct variables;

/* Returns an empty list; call_values_free() frees it. */
struct call_values *call_values_new(struct variables *to);
void call_values_free(struct call_values *v); /* NULL is fine */

/* A call of the thread begins: the values that follow are its own. */
void call_values_enter(struct call_values *v, struct pairing_slot thread);
/* The thread's innermost call has ended; if it was `counted`, it was the last one. */
void call_values_leave(struct call_values *v, struct pairing_slot thread, bool counted);
/* A call was taken that has its end already; the values that follow are its own, if `counted`. */
void call_values_whole(struct call_values *v, bool counted);
/* Adds a value of the call that began last, or that ended last. */
void call_values_add(struct call_values *v, const struct call_value *value);
/* Forgets the open calls of a thread, of all if NULL. */
void call_values_forget(struct call_values *v, const struct pairing_slot *thread);

#endif
