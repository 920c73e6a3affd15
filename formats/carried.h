/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is open at the end of one piece of a stream, for the reading of the next one: calls whose
 * begin was read and whose end was not.  A piece may be read several times, as where a line of it
 * turns out to be bad; each reading starts with copies of what was kept last.
 *
 *	p = carried_take(options->carried, CARRIED_CALLS);		the reader; NULL: none
 *	...
 *	carried_leave(options->carried, CARRIED_CALLS, &class, p);
 *
 *	carried_set_going_on(c, true);					who cuts the stream
 *	carried_restart(c);
 *	read(piece);
 *	carried_keep(c);						if that reading counts
 */
#ifndef FORMATS_CARRIED_H
#define FORMATS_CARRIED_H

#include <stdbool.h>
#include <stddef.h>

/* Whose it is; a reader has one of each. */
enum carried_part {
	CARRIED_KIND,	      /* what kind of lines come: this is never given up */
	CARRIED_ARCHITECTURE, /* nor is this: by which system calls are numbered */
	CARRIED_READER,	      /* what else a reader knows of the lines before */
	CARRIED_CALLS,
	CARRIED_TASKS,
	CARRIED_PROCESSORS,
	CARRIED_KERNEL, /* and as many after it as the kernel's events have tables */
	N_CARRIED = CARRIED_KERNEL + 8,
};

/* What can be done with it. */
struct carried_class {
	void *(*copy)(const void *what);
	void (*free)(void *what);
	size_t (*n_open)(const void *what); /* calls */
};

/* More are not kept: they are of threads that have ended, without an end of the call. */
enum { MAX_CARRIED = 1 << 17 };

struct carried;

/* Nothing is open; carried_free() frees it. */
struct carried *carried_new(void);
void carried_free(struct carried *c); /* NULL is fine */
/* Another one with copies of what was kept; carried_free() frees it. */
struct carried *carried_branch(const struct carried *c);

/* A copy of what was kept; NULL: nothing, or `c` is. */
void *carried_take(const struct carried *c, enum carried_part part);
/* Takes over what is open at the end of a reading, of which nothing is wrong. */
void carried_leave(struct carried *c, enum carried_part part, const struct carried_class *class,
		   void *what);

/* The same of n bytes without pointers; nothing where `c` is NULL. */
void carried_leave_bytes(struct carried *c, enum carried_part part, const void *bytes, size_t n);
/* Those that were kept, as long as they are; NULL: none, or `c` is. */
const void *carried_bytes(const struct carried *c, enum carried_part part, size_t *ret_n);
/* Copies them, where there are some, to what has their size. */
void carried_copy(const struct carried *c, enum carried_part part, void *to);

/* The reader found that something is missing before the first call of this piece: what was kept
 * does not go on. */
void carried_drop(struct carried *c);

/* Whether what comes next may go on with the last record of the piece; false at first.  Where it
 * may, a reader that has a record of several lines and not its end reports it as
 * DIAG_INPUT_TRUNCATED, at the line where it begins: it will get it again with the rest.  Where it
 * may not, the piece ends as a file does. */
void carried_set_going_on(struct carried *c, bool goes_on);
bool carried_goes_on(const struct carried *c); /* false: `c` is NULL, too */

/* A reading begins: what another one left since the last that was kept goes. */
void carried_restart(struct carried *c);
/* Whether the last reading left a call open. */
bool carried_is_open(const struct carried *c);
/* The last reading counts.  Of a part that it did not leave, what was kept stays.  False: more than
 * MAX_CARRIED calls are open; they are given up. */
bool carried_keep(struct carried *c);
/* What comes next does not go on from there: nothing is open.  Of which kind it is stays. */
void carried_forget(struct carried *c);

#endif
