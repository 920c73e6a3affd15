/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pools: what a call obtained from the system, so that all of it can be given back at once.
 *
 * The code below the library takes memory by functions that never return NULL, and has no way back
 * from where memory runs out; in a program that is right.  A library must neither end its host nor
 * leak.  Checks at some thousand places would be tested nowhere; so a call runs as a transaction:
 *
 *	- Whatever it obtains - memory, mappings, open files - is noted in its pool.  For that, the
 *	  linker makes references to malloc(), free(), open() and the like, within the library alone,
 *	  those to __wrap_malloc() and so on of pool_wraps.c (--wrap of ld, lld and mold).  The host's
 *	  own are not touched, nor those of other libraries.
 *	- Where memory runs out, xalloc_die() jumps back to pool_run(), which restores the locale of
 *	  the thread and fails; pool_free() then gives back everything.  What outlives a failed call was
 *	  not changed by it: a context is only read, and a result is not returned.
 *	- No thread is started in a library (pthread_create() is wrapped, too, and fails; the callers
 *	  then do the work themselves), so there is no other stack to leave, and no lock held.
 *
 * A result keeps its pool, and is freed by freeing that: it cannot leak either.
 */
#ifndef LIBRARY_POOL_H
#define LIBRARY_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pool;

struct pool *pool_new(void);	/* NULL: no memory */
void pool_free(struct pool *p); /* gives back what it holds; NULL is fine */

/* Calls body(arg), and notes in the pool what that obtains; false when memory ran out. */
bool pool_run(struct pool *p, void (*body)(void *arg), void *arg);
/* Whether this thread is within pool_run(). */
bool pool_is_running(void);

/* --- for pool_wraps.c ------------------------------------------------------------------------- */

/* How something is given back. */
enum held_kind {
	HELD_MEMORY,
	HELD_MAPPING,
	HELD_DESCRIPTOR,
	HELD_FILE,
	HELD_FOLDER,
	HELD_ZSTD,
	HELD_ICONV
};

/* Makes room for one more thing; false when memory ran out.  True without a pool. */
bool pool_reserve(void);
/* Notes a thing in the pool of this thread, for which there is room; `bytes` of a mapping. */
void pool_hold(enum held_kind kind, uintptr_t thing, size_t bytes);
/* Forgets a thing that was given back; it may be unknown. */
void pool_forget(enum held_kind kind, uintptr_t thing);
/* Gives a thing back by the functions that are not wrapped. */
void held_release(enum held_kind kind, uintptr_t thing, size_t bytes);
/* As calloc() and free(), but not noted. */
void *unnoted_calloc(size_t count, size_t size);
void unnoted_free(void *p);

#endif
