/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the individual samples of a file of any size with one thread per processor, for formats
 * whose records are independent.
 *
 * Each member of the pool has its own accumulator and takes one block of records at a time; at the
 * end an operation table (profile/accumulator/operation_table.h) merges them.  Neither the result nor the
 * reported error depends on the number of members: the error is the first in the file; if all
 * records can be read, it is the first sample that does not fit into an accumulator.
 */
#ifndef FORMATS_WORKER_POOL_H
#define FORMATS_WORKER_POOL_H

#include "base/input/blocks.h"
#include "formats/samples.h"

struct operation_table;

/* What a pool reads, and the functions of the format that read it. */
struct worker_pool_job {
	const struct read_task *task;
	size_t from; /* byte of the input where records begin */
	char quote;  /* newlines between two of these do not end a record; 0: none */
	const struct accumulator_options *sampling;
	const struct decimal *first; /* start of the first sample; NULL: none, or `alone` */
	bool alone;		     /* use one member only: a start depends on earlier lines */

	/* The notes about records that are not samples, indexed as samples.skipped. */
	struct {
		enum diag_code code;
		const char *what;
	} skipped[SAMPLES_REASONS];

	/* State of a member besides its samples: start() creates it, read() uses it, finish()
	 * empties it into the samples, release() frees it.  Without start() it is a copy of `size`
	 * bytes of ctx. */
	const void *ctx;
	size_t size;
	void *(*start)(const void *ctx, struct accumulator *s);
	/* Reads a block, which is s->in; false when an error was reported to s->diag. */
	bool (*read)(void *member, const struct block *block, struct samples *s);
	void (*finish)(void *member); /* may be NULL */
	/* After all members have read: join() merges the state of another member into the first;
	 * complete() then adds samples that need the state of all, with s->in the whole input;
	 * conclude() reports what there is to report about in->name, and tells the operation table
	 * what only the whole file says.  Each may be NULL. */
	void (*join)(void *member, void *other);
	bool (*complete)(void *member, struct samples *s);
	void (*conclude)(void *member, struct operation_table *all, struct input *in,
			 struct diag *diag);
	void (*release)(void *member); /* NULL: free() */
};

/* False when an error was reported. */
MUST_CHECK bool worker_pool_read(const struct worker_pool_job *job);

#endif
