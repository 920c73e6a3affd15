/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/arena.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/pages.h"
#include "base/xalloc.h"

enum {
	BLOCK_FIRST = 16 * 1024,
	BLOCK_MAX = 16 * 1024 * 1024,
	LARGE = 1024 * 1024,
	LARGE_ARRAY = 64 * 1024,
	FIRST_ITEMS = 4, /* of an array that grows */
};

struct block {
	struct block *next;
	size_t used, size;
	alignas(max_align_t) char bytes[];
};

/* One with pages of its own, which begin with this: it grows, or is large. */
struct array {
	struct array *next, *previous;
	size_t bytes; /* of its pages */
	alignas(max_align_t) char items[];
};

struct arena {
	struct block *block; /* the newest first */
	struct array *array; /* all */
	size_t next_size;
};

struct arena *arena_new(void)
{
	struct arena *a = xcalloc(1, sizeof(*a));

	a->next_size = BLOCK_FIRST;
	return a;
}

static void free_blocks(struct block *b)
{
	for (struct block *next; b != NULL; b = next) {
		next = b->next;
		free(b);
	}
}

static void free_arrays(struct arena *a)
{
	for (struct array *v = a->array, *next; v != NULL; v = next) {
		next = v->next;
		pages_free(v, v->bytes);
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
	struct block *b;

	if (size < a->next_size)
		size = a->next_size;
	if (a->next_size < BLOCK_MAX)
		a->next_size *= 2;
	if (size > SIZE_MAX - sizeof(*b))
		xalloc_die();
	b = xreallocarray(NULL, 1, sizeof(*b) + size);
	xalloc_will_fill(b, sizeof(*b) + size);
	*b = (struct block){ .next = a->block, .size = size };
	a->block = b;
	return b;
}

static void *take(struct arena *a, size_t bytes)
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

static size_t bytes_with_head(size_t bytes)
{
	if (bytes > SIZE_MAX - sizeof(struct array))
		xalloc_die();
	return bytes + sizeof(struct array);
}

static void *take_pages(struct arena *a, size_t bytes)
{
	size_t all = bytes_with_head(bytes);
	struct array *v = pages_grow(NULL, 0, all);

	*v = (struct array){ .next = a->array, .bytes = all };
	if (a->array != NULL)
		a->array->previous = v;
	a->array = v;
	return v->items;
}

/* `items` were given by take_pages(). */
static void *grow_pages(struct arena *a, void *items, size_t bytes)
{
	struct array *v = (struct array *)((char *)items - offsetof(struct array, items));
	size_t all = bytes_with_head(bytes);

	v = pages_grow(v, v->bytes, all);
	v->bytes = all;
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

/* Pages that are fresh are written to at once: to be read first costs one of them a second
 * fault.  Of what is large, perhaps not all is used. */
void *arena_alloc(struct arena *a, size_t count, size_t size)
{
	size_t bytes = bytes_of(count, size);

	return bytes < LARGE ? memset(take(a, bytes), 0, bytes) : take_pages(a, bytes);
}

void *arena_room(struct arena *a, size_t count, size_t size)
{
	return take(a, bytes_of(count, size));
}

void *arena_copy(struct arena *a, const void *from, size_t count, size_t size)
{
	void *copy = arena_room(a, count, size);

	return count > 0 ? memcpy(copy, from, count * size) : copy;
}

static void *grow_large(struct arena *a, void *array, size_t had, size_t bytes)
{
	void *p;

	if (had >= LARGE_ARRAY)
		return grow_pages(a, array, bytes);
	p = take_pages(a, bytes);
	return had > 0 ? memcpy(p, array, had) : p;
}

static void *grow_small(struct arena *a, void *array, size_t had, size_t bytes)
{
	char *p = take(a, bytes);

	if (had > 0)
		memcpy(p, array, had);
	memset(p + had, 0, bytes - had);
	return p;
}

void *arena_grow(struct arena *a, void *array, size_t *cap, size_t need, size_t size)
{
	size_t items = *cap > 0 ? *cap : FIRST_ITEMS / 2, had = *cap * size, bytes;

	if (need <= *cap)
		return array;
	do {
		if (items > SIZE_MAX / 2)
			xalloc_die();
		items *= 2;
	} while (items < need);
	bytes = bytes_of(items, size);
	*cap = items;
	return bytes >= LARGE_ARRAY ? grow_large(a, array, had, bytes)
				    : grow_small(a, array, had, bytes);
}

struct str arena_str(struct arena *a, struct str s)
{
	char *copy = take(a, s.n + 1);

	if (s.n > 0)
		memcpy(copy, s.p, s.n);
	copy[s.n] = '\0';
	return (struct str){ copy, s.n };
}

struct str arena_join(struct arena *a, struct str first, char separator, struct str second)
{
	size_t n = first.n + 1 + second.n;
	char *text = take(a, n + 1);

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
		return (struct str){ "", 0 };
	if ((size_t)n < sizeof(room))
		return arena_str(a, (struct str){ room, (size_t)n });
	text = take(a, (size_t)n + 1);
	va_start(ap, fmt);
	(void)vsnprintf(text, (size_t)n + 1, fmt, ap);
	va_end(ap);
	return (struct str){ text, (size_t)n };
}
