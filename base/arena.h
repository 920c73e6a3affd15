/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Region allocation: one lifetime, one free.
 *
 * Memory is zeroed, where nothing else is said.  Allocation cannot fail: exhaustion ends the
 * program through xalloc_die() (see base/xalloc.h).
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include "base/attr.h"
#include "base/str.h"

struct arena;

struct arena *arena_new(void);
void arena_free(struct arena *a); /* NULL is fine */
/* Nothing that was allocated stays valid; some of the memory is kept for what follows. */
void arena_clear(struct arena *a);

void *arena_alloc(struct arena *a, size_t count, size_t size);
/* The same, but not zeroed: all of it is filled at once. */
void *arena_room(struct arena *a, size_t count, size_t size);
void *arena_copy(struct arena *a, const void *from, size_t count, size_t size);
struct str arena_str(struct arena *a, struct str s); /* a copy, NUL-terminated for convenience */
/* `first`, the separator and `second`, one after the other. */
struct str arena_join(struct arena *a, struct str first, char separator, struct str second);
struct str arena_printf(struct arena *a, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* An array of *cap items of `size` bytes that grows, twofold, until it holds `need`; at first
 * it is NULL, and *cap 0.  It moves then, and leaves nothing after: there may be very many. */
void *arena_grow(struct arena *a, void *array, size_t *cap, size_t need, size_t size);

#define arena_make(a, type, count) ((type *)arena_alloc((a), (count), sizeof(type)))

#endif
