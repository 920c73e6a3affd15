/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Heap allocation that never returns NULL. */
#ifndef BASE_XALLOC_H
#define BASE_XALLOC_H

#include <stddef.h>

#include "base/attr.h"

/* Zeroed memory; exits with a message when there is none. */
void *xcalloc(size_t count, size_t size);
/* As reallocarray(); exits with a message when there is no memory. */
void *xreallocarray(void *p, size_t count, size_t size);

/* Zeros that are written: for a table that is looked into before it is written to, where
 * a page that is only read at first costs two faults. */
void *xzeroed(size_t count, size_t size);

/* Called before the program ends on exhaustion; a browser restores the terminal. */
typedef void xalloc_hook_fn(void);
void xalloc_set_hook(xalloc_hook_fn *hook);

/* Says that memory ran out, and exits with status 2. */
NORETURN void xalloc_die(void);

/* For a program that ends soon after it has read its input: memory is kept until then.
 * Giving it back while threads run interrupts every processor. */
void xalloc_keep(void);
/* The opposite: for a program that goes on for days. */
void xalloc_give_back(void);

/* Doubles an array of *cap items of `size` bytes until it holds `need`. */
void *xgrow_more(void *p, size_t *cap, size_t need, size_t size);

/* The same for what mostly has room already. */
static inline void *xgrow(void *p, size_t *cap, size_t need, size_t size)
{
	return need <= *cap ? p : xgrow_more(p, cap, need, size);
}

#endif
