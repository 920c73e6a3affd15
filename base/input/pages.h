/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Arrays mapped in pages of their own, which grow without being copied: mremap() moves pages to
 * another address where there is no room after them.  Small ones are on the heap, and copied.
 *
 * Pages cost nothing before they are first written.  From 2 MiB on, huge pages are used where
 * the system has them: one page fault instead of 512.  Memory is zeroed; exhaustion ends the
 * program through xalloc_die().
 */
#ifndef BASE_INPUT_PAGES_H
#define BASE_INPUT_PAGES_H

#include <stddef.h>

/* Grows the memory at p from `had` to `bytes` bytes and returns it; p NULL and `had` 0: new. */
void *pages_grow(void *p, size_t had, size_t bytes);
void pages_free(void *p, size_t bytes);

#endif
