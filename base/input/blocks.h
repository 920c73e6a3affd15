/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Splits a file into blocks of whole records.  Several threads take them one at a time, in
 * file order and in constant memory.
 *
 * A record ends with a newline, which in formats with quotes must be outside of them.  A record
 * with a NUL byte is an error, which is reported after the block of the records before it: what
 * is read of a file does not depend on where its blocks end.
 */
#ifndef BASE_INPUT_BLOCKS_H
#define BASE_INPUT_BLOCKS_H

#include <pthread.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/input/input.h"

struct diag;

/*
 * Consecutive whole records of a file: the unit of work of a thread.  block_release() frees its
 * memory.
 */
struct block {
	struct input part;   /* the bytes, with the name and line numbers of the file; `passing`
			      * unless they lie in the part of the file that was read first */
	uint64_t number, at; /* the block's number, from 0; the offset of its first byte */
	const char *limit;   /* bytes up to here can be read, with any contents */

	char *room; /* private */
	size_t cap;
};

/* A file that several threads take block by block; the lock protects it. */
struct blocks {
	struct input *in;
	char quote;	      /* 0: every newline ends a record */
	size_t part, n_parts; /* take only blocks part, part + n_parts ...; n_parts 0: all */

	/* Private. */
	pthread_mutex_t lock;
	size_t enough;	    /* target size of a block in bytes */
	size_t from;	    /* bytes of in->bytes already taken */
	struct str carried; /* bytes read beyond the last block */
	char *carry;
	size_t cap_carry;
	uint64_t number, at;
	size_t lines;
	size_t beyond; /* the next block must have more bytes than this */
	bool drained;  /* the whole file was read */
	bool ended;    /* the last block was taken */
	bool stopped;
};

enum { BLOCK_BYTES = 1 << 18 }; /* default size of a block */

/* Starts at byte `from` of the input, where a record begins. */
void blocks_start(struct blocks *b, struct input *in, size_t from, char quote);
void blocks_release(struct blocks *b);
/* Whether there is at most one block, so that more threads would be idle. */
bool blocks_are_few(const struct blocks *b);

/* The result of blocks_next(): the end of the file, a block, or an error that was reported. */
enum block_next { BLOCK_END, BLOCK_TAKEN, BLOCK_FAILED };

/* Takes the next block.  Any thread may call it, each with a block of its own, which is all zero
 * at first and valid until the next call. */
MUST_CHECK enum block_next blocks_next(struct blocks *b, struct block *block, struct diag *diag);
/* Puts back the bytes of the block from `at`, the start of a line: the next block begins with them
 * and has more.  For a single reader whose records may continue on the next line.  Not for the
 * last block. */
void blocks_again(struct blocks *b, const struct block *block, size_t at);
/* Stops, and makes the rest of the file from byte `at` of the block the input, for a reader that
 * needs all of it in memory.  Pointers into the input and the block become invalid.  False when
 * an error was reported. */
MUST_CHECK bool blocks_complete(struct blocks *b, struct block *block, size_t at,
				struct diag *diag);
/* Makes blocks_next() return BLOCK_END from now on. */
void blocks_stop(struct blocks *b);
void block_release(struct block *block);

#endif
