/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * State that a reader passes from one piece of a stream to the next: calls that began and have not
 * ended, above all.  A piece may be read several times, as when one of its lines turns out to be
 * bad; each reading starts with copies of what was kept last.
 *
 * 	p = carried_take(options->carried, CARRIED_CALLS);		the reader; NULL: none
 * 	...
 * 	carried_leave(options->carried, CARRIED_CALLS, &class, p);
 *
 * 	carried_set_going_on(c, true);					who cuts the stream
 * 	carried_restart(c);
 * 	read(piece);
 * 	carried_keep(c);						if that reading counts
 */
#ifndef FORMATS_CARRIED_H
#define FORMATS_CARRIED_H

#include <stdbool.h>
#include <stddef.h>

/* What a piece of state belongs to; a reader has at most one of each. */
enum carried_part {
	CARRIED_KIND,	      /* the kind of lines that follow; never discarded */
	CARRIED_ARCHITECTURE, /* numbers the system calls; never discarded either */
	CARRIED_READER,	      /* other state of the reader */
	CARRIED_CALLS,
	CARRIED_TASKS,
	CARRIED_PROCESSORS,
	CARRIED_KERNEL, /* the first of the tables of kernel events */
	N_CARRIED = CARRIED_KERNEL + 8,
};

/* The operations on a piece of state. */
struct carried_class {
	void *(*copy)(const void *what);
	void (*free)(void *what);
	size_t (*n_open)(const void *what); /* number of open calls in it */
};

/* More open calls than this are not kept: their threads have ended without ending the calls. */
enum { MAX_CARRIED = 1 << 17 };

struct carried;

/* Returns state with nothing open; carried_free() frees it. */
struct carried *carried_new(void);
void carried_free(struct carried *c); /* NULL is fine */
/* Returns a copy of what was kept, in a new state; carried_free() frees it. */
struct carried *carried_branch(const struct carried *c);

/* Returns a copy of what was kept; NULL when nothing was, or `c` is NULL. */
void *carried_take(const struct carried *c, enum carried_part part);
/* Takes ownership of what is open at the end of a reading without errors. */
void carried_leave(struct carried *c, enum carried_part part, const struct carried_class *class,
		   void *what);

/* The same for n bytes without pointers; does nothing if `c` is NULL. */
void carried_leave_bytes(struct carried *c, enum carried_part part, const void *bytes, size_t n);
/* Returns the kept bytes, which stay valid while they are kept; NULL: none, or `c` is NULL. */
const void *carried_bytes(const struct carried *c, enum carried_part part, size_t *ret_n);
/* Copies the kept bytes, if any, to `to`, which has room for them. */
void carried_copy(const struct carried *c, enum carried_part part, void *to);

/* Tells that something is missing before the first call of this piece, so that what was kept does
 * not continue in it. */
void carried_drop(struct carried *c);

/* Sets whether the next piece may continue the last record of this one; false at first.  If it
 * may, a reader that lacks the end of a record of several lines reports DIAG_INPUT_TRUNCATED at
 * the line where the record begins, and gets it again with the rest.  If not, the piece ends as
 * a file does. */
void carried_set_going_on(struct carried *c, bool goes_on);
bool carried_goes_on(const struct carried *c); /* false if `c` is NULL */

/* Begins a reading: discards what earlier readings left and was not kept. */
void carried_restart(struct carried *c);
/* Returns whether the last reading left a call open. */
bool carried_is_open(const struct carried *c);
/* Keeps what the last reading left; parts that it did not leave stay as they were kept.  False:
 * more than MAX_CARRIED calls were open, and all are discarded. */
bool carried_keep(struct carried *c);
/* Discards what is open, because the next piece does not continue it; keeps the kind of lines and
 * the architecture. */
void carried_forget(struct carried *c);

#endif
