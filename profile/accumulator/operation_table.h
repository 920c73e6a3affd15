/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The operations of a file whose samples several threads count.  The table holds each operation
 * once, whichever thread meets it first, and in the end all its counts.
 *
 * Each thread adds to its own accumulator, which is merged into the table when all threads are
 * done.  The fast path (formats/general/bulk.h) looks up its operations here and adds to them
 * directly.
 */
#ifndef PROFILE_ACCUMULATOR_OPERATION_TABLE_H
#define PROFILE_ACCUMULATOR_OPERATION_TABLE_H

#include "profile/accumulator/accumulator.h"

struct entry;
struct operation_table;

/* Returns an empty table for n_threads threads; operation_table_free() frees it. */
struct operation_table *operation_table_new(const struct accumulator_options *options,
					    size_t n_threads);
void operation_table_free(struct operation_table *r); /* NULL is fine */

/* Tells an accumulator which table it will be merged into. */
void operation_table_register(struct operation_table *r, struct accumulator *s);
/* Returns the operation of this sample, adding it if new; counts nothing.  Thread-safe. */
struct entry *operation_table_look_up(struct operation_table *r, const struct sample *sample);

/* Adds what one thread's accumulator counted and missed, and frees it.  Call it when all threads
 * are done; the accumulators must have the same options and the same first start. */
void operation_table_merge(struct operation_table *r, struct accumulator *s);
/* States that all latencies are whole multiples of this, as found in the whole file; 0: not
 * known. */
void operation_table_granularity(struct operation_table *r, double granularity);
/* See accumulator_forget_nested(). */
void operation_table_forget_nested(struct operation_table *r);
/* See accumulator_push(). */
MUST_CHECK bool operation_table_push(struct operation_table *r, struct builder *b);

#endif
