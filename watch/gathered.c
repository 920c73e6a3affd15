/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "watch/gathered.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "watch/cut.h"

char *gathered_room(struct gathered *g, size_t n)
{
	g->buf = xgrow(g->buf, &g->cap, g->n + n, 1);
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
}

/* Bytes of the buffer. */
static void take_out(struct gathered *g, size_t from, size_t n)
{
	memmove(g->buf + from, g->buf + from + n, g->n - from - n);
	g->n -= n;
}

void gathered_put_back(struct gathered *g, size_t n, struct gathered *left)
{
	size_t from = g->header + n;

	assert(left->n <= from);
	memmove(g->buf + left->n, g->buf + from, g->n - from);
	if (left->n > 0)
		memcpy(g->buf, left->buf, left->n);
	g->n -= from - left->n;
	g->header = left->header;
	g->headers = left->headers;
	free(left->buf);
}

void gathered_drop(struct gathered *g, size_t n)
{
	if (n > 0)
		take_out(g, g->header, n);
}

void gathered_drop_header(struct gathered *g)
{
	if (g->header > 0)
		take_out(g, 0, g->header);
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
	take_out(g, g->header + from, size);
	return size;
}

size_t gathered_cut_headers(struct gathered *g, size_t n, size_t *lines)
{
	struct str header = { g->buf, g->header };
	size_t left = cut_lines_like(g->buf + g->header, n, header, lines);

	if (left < n)
		take_out(g, g->header + left, n - left);
	return left;
}
