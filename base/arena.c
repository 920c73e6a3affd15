/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/arena.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/pages.h"
#include "base/xalloc.h"

enum {
	BLOCK_FIRST = 16 * 1024,
	BLOCK_MAX = 16 * 1024 * 1024,
	ARRAY_FIRST = 64 * 1024,
	LARGE = 1024 * 1024,
};

struct block {
	struct block *next;
	size_t used, size;
	alignas(max_align_t) char bytes[];
};

/* One with pages of its own: it grows, or is large. */
struct array {
	struct array *next;
	void *p;
	size_t bytes;
};

struct arena {
	struct block *block; /* the newest first */
	struct array *array; /* all; they lie in the blocks */
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
	for (struct array *v = a->array; v != NULL; v = v->next)
		pages_free(v->p, v->bytes);
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

	if (newest == NULL)
		return;
	free_arrays(a);
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

static struct array *add_array(struct arena *a)
{
	struct array *v = take(a, sizeof(*v));

	*v = (struct array){ .next = a->array };
	a->array = v;
	return v;
}

static void *take_pages(struct arena *a, size_t bytes)
{
	struct array *v = add_array(a);

	v->p = pages_grow(NULL, 0, bytes);
	v->bytes = bytes;
	return v->p;
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

static struct array *array_at(struct arena *a, const void *p)
{
	for (struct array *v = a->array; v != NULL; v = v->next) {
		if (v->p == p)
			return v;
	}
	return add_array(a);
}

void *arena_grow(struct arena *a, void *array, size_t *cap, size_t need, size_t size)
{
	struct array *v;
	size_t bytes;

	if (need <= *cap)
		return array;
	v = array_at(a, array);
	bytes = v->bytes > 0 ? v->bytes : ARRAY_FIRST / 2;
	do {
		if (bytes > SIZE_MAX / 2)
			xalloc_die();
		bytes *= 2;
	} while (bytes / size < need);
	v->p = pages_grow(v->p, v->bytes, bytes);
	v->bytes = bytes;
	*cap = bytes / size;
	return v->p;
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
