/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/arena.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

enum { BLOCK_FIRST = 16 * 1024, BLOCK_MAX = 16 * 1024 * 1024 };

struct block {
	struct block *next;
	size_t used, size;
	alignas(max_align_t) char bytes[];
};

struct arena {
	struct block *block; /* the newest first */
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

void arena_free(struct arena *a)
{
	if (a == NULL)
		return;
	free_blocks(a->block);
	free(a);
}

void arena_clear(struct arena *a)
{
	struct block *newest = a->block;

	if (newest == NULL)
		return;
	free_blocks(newest->next);
	newest->next = NULL;
	memset(newest->bytes, 0, newest->used);
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
	b = xcalloc(1, sizeof(*b) + size);
	xalloc_will_fill(b, sizeof(*b) + size);
	b->size = size;
	b->next = a->block;
	a->block = b;
	return b;
}

void *arena_alloc(struct arena *a, size_t count, size_t size)
{
	const size_t align = alignof(max_align_t);
	struct block *b = a->block;
	size_t bytes;
	void *p;

	if (size != 0 && count > (SIZE_MAX - align) / size)
		xalloc_die();
	bytes = (count * size + align - 1) / align * align;
	if (b == NULL || b->size - b->used < bytes)
		b = block_add(a, bytes);
	p = b->bytes + b->used;
	b->used += bytes;
	return p;
}

struct str arena_str(struct arena *a, struct str s)
{
	char *copy = arena_alloc(a, s.n + 1, 1);

	if (s.n > 0)
		memcpy(copy, s.p, s.n);
	return (struct str){ copy, s.n };
}

struct str arena_join(struct arena *a, struct str first, char separator, struct str second)
{
	size_t n = first.n + 1 + second.n;
	char *text = arena_alloc(a, n + 1, 1);

	if (first.n > 0)
		memcpy(text, first.p, first.n);
	text[first.n] = separator;
	if (second.n > 0)
		memcpy(text + first.n + 1, second.p, second.n);
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
	text = arena_alloc(a, (size_t)n + 1, 1);
	va_start(ap, fmt);
	(void)vsnprintf(text, (size_t)n + 1, fmt, ap);
	va_end(ap);
	return (struct str){ text, (size_t)n };
}
