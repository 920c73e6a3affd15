/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "watch/pending.h"

#include <assert.h>
#include <string.h>

#include "base/input/pages.h"
#include "watch/cut.h"

enum { FIRST = 256 }; /* bytes of room */

void pending_free(struct pending *g)
{
	pages_free(g->buf, g->cap);
}

char *pending_room(struct pending *g, size_t n)
{
	size_t cap = g->cap > 0 ? g->cap : FIRST;

	while (cap < g->n + n)
		cap *= 2;
	if (cap > g->cap)
		g->buf = pages_grow(g->buf, g->cap, cap);
	g->cap = cap;
	return g->buf + g->n;
}

void pending_append(struct pending *g, const char *bytes, size_t n)
{
	char *to;

	if (n == 0)
		return;
	to = pending_room(g, n);
	if (bytes != to)
		memmove(to, bytes, n);
	g->n += n;
	g->lines += cut_count_lines((struct str){ to, n }); /* while it is in a cache */
}

/* Newlines in n bytes of the buffer: counts these or, where they are more than half, the others. */
static size_t lines_in(const struct pending *g, size_t from, size_t n)
{
	struct str all = { g->buf, g->n };

	if (n <= g->n / 2)
		return cut_count_lines((struct str){ g->buf + from, n });
	return g->lines - cut_count_lines((struct str){ g->buf, from }) -
	       cut_count_lines(str_skip(all, from + n));
}

size_t pending_lines(const struct pending *g, size_t n)
{
	return lines_in(g, g->header, n);
}

/* Removes n bytes that contain so many newlines from the buffer. */
static void take_out(struct pending *g, size_t from, size_t n, size_t lines)
{
	memmove(g->buf + from, g->buf + from + n, g->n - from - n);
	g->n -= n;
	g->lines -= lines;
}

void pending_put_back(struct pending *g, size_t n, struct pending *left)
{
	size_t from = g->header + n;

	assert(left->n <= from);
	g->lines = g->lines - lines_in(g, 0, from) + left->lines;
	memmove(g->buf + left->n, g->buf + from, g->n - from);
	if (left->n > 0)
		memcpy(g->buf, left->buf, left->n);
	g->n -= from - left->n;
	g->header = left->header;
	g->headers = left->headers;
	pending_free(left);
}

void pending_drop(struct pending *g, size_t n)
{
	if (n > 0)
		take_out(g, g->header, n, pending_lines(g, n));
}

void pending_drop_header(struct pending *g)
{
	if (g->header > 0)
		take_out(g, 0, g->header, g->headers);
	g->header = g->headers = 0;
}

size_t pending_before(const struct pending *g, size_t n, size_t line)
{
	struct str s = { pending_bytes(g).p, n };

	return line > g->headers ? cut_lines(s, line - g->headers - 1) : n;
}

size_t pending_cut_line(struct pending *g, size_t n, size_t line)
{
	struct str s = { pending_bytes(g).p, n };
	size_t from = pending_before(g, n, line), size;

	if (from == n)
		return 0;
	size = cut_lines(s, line - g->headers) - from;
	take_out(g, g->header + from, size, lines_in(g, g->header + from, size));
	return size;
}

size_t pending_cut_headers(struct pending *g, size_t n, size_t *lines)
{
	struct str header = { g->buf, g->header };
	size_t before = *lines, left = cut_lines_like(g->buf + g->header, n, header, lines);

	if (left < n)
		take_out(g, g->header + left, n - left, *lines - before);
	return left;
}
