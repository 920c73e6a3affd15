/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Individual samples out of a file of any size, by as many threads as there are
 * processors: for formats where each record stands for itself.
 *
 * Each member of the worker pool has an accumulator of its own and takes one block of records after
 * the other; in the end an operation table (profile/operation_table.h) takes them all.  What comes
 * out is the same whatever the number of members, and so is the error that is reported: the first
 * of the file; where all of it can be read, the first of what does not fit into an accumulator.
 */
#ifndef FORMATS_WORKER_POOL_H
#define FORMATS_WORKER_POOL_H

#include "base/blocks.h"
#include "formats/samples.h"

struct operation_table;

/* What the members of a pool read, and the functions of the format that read it. */
struct worker_pool_job {
	const struct read_task *task;
	size_t from; /* byte of the input where the records begin */
	char quote;  /* newlines between two of them end no record; 0: none */
	const struct accumulator_options *sampling;
	const struct decimal *first; /* start of the first sample; NULL: none, or `alone` */
	bool alone;		     /* one member for all: a start depends on lines before it */

	/* What is said of records that are no samples, by what samples.skipped counts. */
	struct {
		enum diag_code code;
		const char *what;
	} skipped[SAMPLES_REASONS];

	/* What a member needs beside its samples: made, used, emptied into the samples,
	 * released.  Without `start` it is a copy of the `size` bytes of ctx. */
	const void *ctx;
	size_t size;
	void *(*start)(const void *ctx, struct accumulator *s);
	/* False when an error was reported, to s->diag and in s->in, which is the block. */
	bool (*read)(void *member, const struct block *block, struct samples *s);
	void (*finish)(void *member); /* may be NULL */
	/* What another member knows of the file is added; when all was, what only all of them
	 * know is sampled, `s` being in in; then what is to be reported is reported in->name, and
	 * the operation table learns what only the whole file says.  May be NULL. */
	void (*join)(void *member, void *other);
	bool (*complete)(void *member, struct samples *s);
	void (*conclude)(void *member, struct operation_table *all, struct input *in,
			 struct diag *diag);
	void (*release)(void *member); /* NULL: free() */
};

/* False when an error was reported. */
MUST_CHECK bool worker_pool_read(const struct worker_pool_job *job);

#endif
