/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "watch/gathered.h"

#include <assert.h>
#include <string.h>

#include "base/pages.h"
#include "watch/cut.h"

enum { FIRST = 256 }; /* bytes of room */

void gathered_free(struct gathered *g)
{
	pages_free(g->buf, g->cap);
}

char *gathered_room(struct gathered *g, size_t n)
{
	size_t cap = g->cap > 0 ? g->cap : FIRST;

	while (cap < g->n + n)
		cap *= 2;
	if (cap > g->cap)
		g->buf = pages_grow(g->buf, g->cap, cap);
	g->cap = cap;
	return g->buf + g->n;
}

void gathered_append(struct gathered *g, const char *bytes, size_t n)
{
	char *to;

	if (n == 0)
		return;
	to = gathered_room(g, n);
	if (bytes != to)
		memmove(to, bytes, n);
	g->n += n;
	g->lines += cut_count_lines((struct str){ to, n }); /* while it is in a cache */
}

/* In n bytes of the buffer.  What is larger, these or the others, is not looked at. */
static size_t lines_in(const struct gathered *g, size_t from, size_t n)
{
	struct str all = { g->buf, g->n };

	if (n <= g->n / 2)
		return cut_count_lines((struct str){ g->buf + from, n });
	return g->lines - cut_count_lines((struct str){ g->buf, from }) -
	       cut_count_lines(str_skip(all, from + n));
}

size_t gathered_lines(const struct gathered *g, size_t n)
{
	return lines_in(g, g->header, n);
}

/* Bytes of the buffer, which have so many newlines. */
static void take_out(struct gathered *g, size_t from, size_t n, size_t lines)
{
	memmove(g->buf + from, g->buf + from + n, g->n - from - n);
	g->n -= n;
	g->lines -= lines;
}

void gathered_put_back(struct gathered *g, size_t n, struct gathered *left)
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
	gathered_free(left);
}

void gathered_drop(struct gathered *g, size_t n)
{
	if (n > 0)
		take_out(g, g->header, n, gathered_lines(g, n));
}

void gathered_drop_header(struct gathered *g)
{
	if (g->header > 0)
		take_out(g, 0, g->header, g->headers);
	g->header = g->headers = 0;
}

size_t gathered_before(const struct gathered *g, size_t n, size_t line)
{
	struct str s = { gathered_waiting(g).p, n };

	return line > g->headers ? cut_lines(s, line - g->headers - 1) : n;
}

size_t gathered_cut_line(struct gathered *g, size_t n, size_t line)
{
	struct str s = { gathered_waiting(g).p, n };
	size_t from = gathered_before(g, n, line), size;

	if (from == n)
		return 0;
	size = cut_lines(s, line - g->headers) - from;
	take_out(g, g->header + from, size, lines_in(g, g->header + from, size));
	return size;
}

size_t gathered_cut_headers(struct gathered *g, size_t n, size_t *lines)
{
	struct str header = { g->buf, g->header };
	size_t before = *lines, left = cut_lines_like(g->buf + g->header, n, header, lines);

	if (left < n)
		take_out(g, g->header + left, n - left, *lines - before);
	return left;
}
