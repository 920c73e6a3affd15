/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A file in blocks of whole records, handed to several threads one block at a
 * time, in the order of the file and in constant memory.
 *
 * A record ends with a newline; where there are quotes, with one outside of them.  One that has
 * a NUL byte is an error, reported after the block of those before it, so that what is read of a
 * file does not depend on where its blocks end.
 */
#ifndef BASE_BLOCKS_H
#define BASE_BLOCKS_H

#include <pthread.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/input.h"

struct diag;

/*
 * Whole records that follow one another in a file: the unit of work of one thread. Its memory
 * goes with block_release().
 */
struct block {
	struct input part;   /* its bytes, under the name and with the line numbers of the file;
			      * passing unless they lie in what was read of it at first */
	uint64_t number, at; /* from 0 on; of its first byte in the text */
	const char *limit;   /* bytes up to here may be read, whatever they hold */

	char *room; /* its own */
	size_t cap;
};

/* A file that threads take block by block; shared by all of them, each take holds the lock. */
struct blocks {
	struct input *in;
	char quote;	      /* 0: newlines end records wherever they stand */
	size_t part, n_parts; /* only blocks number part, part + n_parts ...; 0 parts: all */

	/* Its own. */
	pthread_mutex_t lock;
	size_t enough; /* bytes of a block */
	size_t from;   /* bytes of in->bytes that are handed out */
	struct str carried;
	char *carry;
	size_t cap_carry;
	uint64_t number, at;
	size_t lines;
	size_t beyond; /* the next block has more bytes than that */
	bool drained;  /* nothing more comes of the file */
	bool ended;    /* the block that was handed out last is the last */
	bool stopped;
};

enum { BLOCK_BYTES = 1 << 18 }; /* unless the input says otherwise */

/* From byte `from` of the input on, where a record begins. */
void blocks_start(struct blocks *b, struct input *in, size_t from, char quote);
void blocks_release(struct blocks *b);
/* There is no more than one block: threads would be idle. */
bool blocks_are_few(const struct blocks *b);

/* What blocks_next() found: the end of the file, a block, or an error that was reported. */
enum block_next { BLOCK_END, BLOCK_TAKEN, BLOCK_FAILED };

/* BLOCK_FAILED: an error was reported.  Any thread; each with its own block, all zero at
 * first, which is valid until the next call. */
MUST_CHECK enum block_next blocks_next(struct blocks *b, struct block *block, struct diag *diag);
/* The bytes of this one from `at` on, where a line begins, come again with the next block,
 * and more after them: for a single reader of text whose records may go on from line to line.
 * Not of the last block. */
void blocks_again(struct blocks *b, const struct block *block, size_t at);
/* Nobody gets another one: what begins at byte `at` of this one, and all after it, becomes
 * the input, for a reader that finds there what has to be in memory as a whole.  Nothing that
 * pointed into it stays valid, nor does the block.  False when an error was reported. */
MUST_CHECK bool blocks_complete(struct blocks *b, struct block *block, size_t at,
				struct diag *diag);
/* Nobody gets another one. */
void blocks_stop(struct blocks *b);
void block_release(struct block *block);

#endif
