/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The operations of a file that several threads sample: each of them once, whichever thread
 * meets it first, and in the end all that was counted of it.
 *
 * A thread adds to an accumulator of its own, which the operation table takes when all are done.
 * What counts faster (formats/general/bulk.h) meets its operations here and adds to them itself.
 */
#ifndef PROFILE_OPERATION_TABLE_H
#define PROFILE_OPERATION_TABLE_H

#include "profile/accumulator.h"

struct entry;
struct operation_table;

/* An empty table for so many threads; operation_table_free() frees it. */
struct operation_table *operation_table_new(const struct accumulator_options *options,
					    size_t n_threads);
void operation_table_free(struct operation_table *r); /* NULL is fine */

/* It is one of those that the operation table takes. */
void operation_table_register(struct operation_table *r, struct accumulator *s);
/* The operation of this sample, which may be its first.  Nothing is counted.  Any thread. */
struct entry *operation_table_look_up(struct operation_table *r, const struct sample *sample);

/* When all threads are done.  Adds what one's accumulator took and missed, of the same options and
 * the same first start; the operation table frees it. */
void operation_table_merge(struct operation_table *r, struct accumulator *s);
/* All latencies are whole multiples of this, as the whole file has shown; 0: not known. */
void operation_table_granularity(struct operation_table *r, double granularity);
/* See accumulator_forget_nested(). */
void operation_table_forget_nested(struct operation_table *r);
/* See accumulator_push(). */
MUST_CHECK bool operation_table_push(struct operation_table *r, struct builder *b);

#endif
