/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory in pages of its own, which grows without being copied: where there is no room
 * after it, its pages move to another address, not its bytes.  As long as it is little it is on
 * the heap, and copied.
 *
 * Pages cost nothing before they are first written; from 2 MiB on they are large ones, where
 * the system has them, of which one costs a fault as 512 others do each.  Memory is zeroed;
 * exhaustion ends the program through xalloc_die().
 */
#ifndef BASE_PAGES_H
#define BASE_PAGES_H

#include <stddef.h>

/* `bytes` of it, of which there were `had` at p (0, and NULL: none yet). */
void *pages_grow(void *p, size_t had, size_t bytes);
void pages_free(void *p, size_t bytes);

#endif
