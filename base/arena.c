/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/arena.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/input/pages.h"
#include "base/xalloc.h"

enum {
	BLOCK_FIRST = 16 * 1024,
	BLOCK_MAX = 16 * 1024 * 1024,
	LARGE_BLOCK = 2 * 1024 * 1024, /* blocks from this size on have pages of their own */
	LARGE = 1024 * 1024,	       /* allocations from this size on are arrays */
	LARGE_ARRAY = 1024 * 1024,     /* smaller arrays are on the heap, which reuses memory */
	FIRST_ITEMS = 4,	       /* first capacity of an array that grows */
};

struct block {
	struct block *next;
	size_t used, size; /* without the header */
	alignas(max_align_t) char bytes[];
};

/* The header of memory that is not part of a block: it can grow, or is large. */
struct array {
	struct array *next, *previous;
	size_t bytes; /* with the header; in pages from LARGE_ARRAY on, else on the heap */
	alignas(max_align_t) char items[];
};

struct arena {
	struct block *block; /* the newest first */
	struct array *array; /* list of all */
	size_t next_size;
};

struct arena *arena_new(void)
{
	struct arena *a = xcalloc(1, sizeof(*a));

	a->next_size = BLOCK_FIRST;
	return a;
}

static void free_block(struct block *b)
{
	size_t bytes = sizeof(*b) + b->size;

	if (bytes >= LARGE_BLOCK)
		pages_free(b, bytes);
	else
		free(b);
}

static void free_blocks(struct block *b)
{
	for (struct block *next; b != NULL; b = next) {
		next = b->next;
		free_block(b);
	}
}

static void free_arrays(struct arena *a)
{
	for (struct array *v = a->array, *next; v != NULL; v = next) {
		next = v->next;
		if (v->bytes >= LARGE_ARRAY)
			pages_free(v, v->bytes);
		else
			free(v);
	}
	a->array = NULL;
}

void arena_free(struct arena *a)
{
	if (a == NULL)
		return;
	free_arrays(a);
	free_blocks(a->block);
	free(a);
}

void arena_clear(struct arena *a)
{
	struct block *newest = a->block;

	free_arrays(a);
	if (newest == NULL)
		return;
	free_blocks(newest->next);
	newest->next = NULL;
	newest->used = 0;
}

static struct block *block_add(struct arena *a, size_t size)
{
	size_t bytes = a->next_size;
	struct block *b;

	if (size > SIZE_MAX - sizeof(*b))
		xalloc_die();
	if (bytes < sizeof(*b) + size)
		bytes = sizeof(*b) + size;
	if (a->next_size < BLOCK_MAX)
		a->next_size *= 2;
	b = bytes >= LARGE_BLOCK ? pages_grow(NULL, 0, bytes) : xreallocarray(NULL, 1, bytes);
	*b = (struct block){ .next = a->block, .size = bytes - sizeof(*b) };
	a->block = b;
	return b;
}

static void *take_bytes(struct arena *a, size_t bytes)
{
	const size_t align = alignof(max_align_t);
	struct block *b = a->block;
	void *p;

	if (bytes > SIZE_MAX - align)
		xalloc_die();
	bytes = (bytes + align - 1) / align * align;
	if (b == NULL || b->size - b->used < bytes)
		b = block_add(a, bytes);
	p = b->bytes + b->used;
	b->used += bytes;
	return p;
}

/* Zeroes the memory after the first `had` bytes. */
static struct array *resize_array(struct array *v, size_t had, size_t bytes)
{
	struct array *larger;

	if (had >= LARGE_ARRAY)
		return pages_grow(v, had, bytes);
	if (bytes < LARGE_ARRAY) {
		v = xreallocarray(v, bytes, 1);
		memset((char *)v + had, 0, bytes - had);
		return v;
	}
	larger = pages_grow(NULL, 0, bytes);
	if (had > 0)
		memcpy(larger, v, had);
	free(v);
	return larger;
}

/* v may be NULL: a new one. */
static void *grow_array(struct arena *a, struct array *v, size_t bytes)
{
	bool is_new = v == NULL;

	if (bytes > SIZE_MAX - sizeof(*v))
		xalloc_die();
	bytes += sizeof(*v);
	v = resize_array(v, is_new ? 0 : v->bytes, bytes);
	v->bytes = bytes;
	if (is_new)
		v->next = a->array;
	if (v->next != NULL)
		v->next->previous = v;
	if (v->previous != NULL)
		v->previous->next = v;
	else
		a->array = v;
	return v->items;
}

static size_t bytes_of(size_t count, size_t size)
{
	if (size != 0 && count > SIZE_MAX / size)
		xalloc_die();
	return count * size;
}

/* Zeroes small memory at once, also fresh pages: reading a page before writing it costs a second
 * fault.  Large memory may not all be used. */
void *arena_alloc(struct arena *a, size_t count, size_t size)
{
	size_t bytes = bytes_of(count, size);

	return bytes < LARGE ? memset(take_bytes(a, bytes), 0, bytes) : grow_array(a, NULL, bytes);
}

void *arena_room(struct arena *a, size_t count, size_t size)
{
	return take_bytes(a, bytes_of(count, size));
}

void *arena_copy(struct arena *a, const void *from, size_t count, size_t size)
{
	void *copy = arena_room(a, count, size);

	return count > 0 ? memcpy(copy, from, count * size) : copy;
}

void *arena_grow(struct arena *a, void *array, size_t *cap, size_t need, size_t size)
{
	size_t items = *cap > 0 ? *cap : FIRST_ITEMS / 2;
	struct array *v = NULL;

	if (need <= *cap)
		return array;
	do {
		if (items > SIZE_MAX / 2)
			xalloc_die();
		items *= 2;
	} while (items < need);
	if (array != NULL)
		v = (struct array *)((char *)array - offsetof(struct array, items));
	*cap = items;
	return grow_array(a, v, bytes_of(items, size));
}

struct str arena_str(struct arena *a, struct str s)
{
	char *copy = take_bytes(a, s.n + 1);

	if (s.n > 0)
		memcpy(copy, s.p, s.n);
	copy[s.n] = '\0';
	return (struct str){ copy, s.n };
}

struct str arena_join(struct arena *a, struct str first, char separator, struct str second)
{
	size_t n = first.n + 1 + second.n;
	char *text = take_bytes(a, n + 1);

	if (first.n > 0)
		memcpy(text, first.p, first.n);
	text[first.n] = separator;
	if (second.n > 0)
		memcpy(text + first.n + 1, second.p, second.n);
	text[n] = '\0';
	return (struct str){ text, n };
}

struct str arena_printf(struct arena *a, const char *fmt, ...)
{
	char room[256], *text; /* enough for most */
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(room, sizeof(room), fmt, ap);
	va_end(ap);
	if (n < 0)
		return STR("");
	if ((size_t)n < sizeof(room))
		return arena_str(a, (struct str){ room, (size_t)n });
	text = take_bytes(a, (size_t)n + 1);
	va_start(ap, fmt);
	(void)vsnprintf(text, (size_t)n + 1, fmt, ap);
	va_end(ap);
	return (struct str){ text, (size_t)n };
}
