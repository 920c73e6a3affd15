/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Heap allocation that never returns NULL. */
#ifndef BASE_XALLOC_H
#define BASE_XALLOC_H

#include <stddef.h>

#include "base/attr.h"

/* As calloc(); exits with a message when out of memory. */
void *xcalloc(size_t count, size_t size);
/* As reallocarray(); exits with a message when out of memory. */
void *xreallocarray(void *p, size_t count, size_t size);

/* Returns memory zeroed by writing: for a table that is read before it is written, where a
 * page that is read first costs two faults. */
void *xzeroed(size_t count, size_t size);

/* Called before the program ends on exhaustion; the browser restores the terminal. */
typedef void xalloc_hook_fn(void);
void xalloc_set_hook(xalloc_hook_fn *hook);

/* Returns a copy of a NUL-terminated string. */
char *xstrdup(const char *s);
/* Returns a copy of n bytes, ended by NUL. */
char *xmemdup(const char *p, size_t n);

/* Reports that memory ran out, and exits with status 2; libosprof-compare, which must not exit,
 * replaces it by one that ends the call (library/pool.h). */
NORETURN void xalloc_die(void);

/* Keeps freed memory, for a program that ends soon after it has read its input: returning
 * memory while threads run interrupts every processor. */
void xalloc_keep(void);
/* Returns freed memory to the system, for a program that runs for days. */
void xalloc_give_back(void);

/* Doubles an array of *cap items of `size` bytes until it holds `need`. */
void *xgrow_more(void *p, size_t *cap, size_t need, size_t size);

/* The same, inline for arrays that mostly have room already. */
static inline void *xgrow(void *p, size_t *cap, size_t need, size_t size)
{
	return need <= *cap ? p : xgrow_more(p, cap, need, size);
}

#endif
