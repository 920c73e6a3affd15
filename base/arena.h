/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Region allocation: one lifetime, one free.
 *
 * Memory is zeroed unless stated otherwise.  Allocation cannot fail: exhaustion ends the program
 * through xalloc_die() (see base/xalloc.h).
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include "base/attr.h"
#include "base/str.h"

struct arena;

/* Creates an arena; arena_free() frees all that was allocated from it. */
struct arena *arena_new(void);
void arena_free(struct arena *a); /* NULL is fine */
/* Frees all allocations, but keeps some of the memory for the next ones. */
void arena_clear(struct arena *a);

/* Returns zeroed memory for count items. */
void *arena_alloc(struct arena *a, size_t count, size_t size);
/* The same, but not zeroed, for memory that is filled at once. */
void *arena_room(struct arena *a, size_t count, size_t size);
void *arena_copy(struct arena *a, const void *from, size_t count, size_t size);
struct str arena_str(struct arena *a, struct str s); /* a copy, NUL-terminated for convenience */
/* Concatenates `first`, the separator and `second`. */
struct str arena_join(struct arena *a, struct str first, char separator, struct str second);
struct str arena_printf(struct arena *a, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Doubles an array of *cap items of `size` bytes until it holds `need`; a new array is NULL, with
 * *cap 0.  The array may move; its old memory is freed at once, not with the arena. */
void *arena_grow(struct arena *a, void *array, size_t *cap, size_t need, size_t size);

#define arena_make(a, type, count) ((type *)arena_alloc((a), (count), sizeof(type)))

#endif
