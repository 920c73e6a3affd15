/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What has come of a source and is not read yet, with the header that stands before each part. */
#ifndef WATCH_GATHERED_H
#define WATCH_GATHERED_H

#include <stddef.h>

#include "base/str.h"

/* {} at first; gathered_free() frees its memory. */
struct gathered {
	char *buf;	/* the header, then what waits; of pages.h */
	size_t n, cap;	/* bytes */
	size_t lines;	/* newlines in all of it */
	size_t header;	/* bytes of it */
	size_t headers; /* lines of it */
};

void gathered_free(struct gathered *g);

/* n bytes after what waits that may be written, until something is appended. */
char *gathered_room(struct gathered *g, size_t n);
/* Also of bytes that are in the room already. */
void gathered_append(struct gathered *g, const char *bytes, size_t n);

/* What waits; until something is appended. */
static inline struct str gathered_waiting(const struct gathered *g)
{
	return (struct str){ g->buf + g->header, g->n - g->header };
}

/* The header and the first n bytes that wait; until something is appended. */
static inline struct str gathered_segment(const struct gathered *g, size_t n)
{
	return (struct str){ g->buf, g->header + n };
}

/* How many newlines are among the first n bytes that wait. */
size_t gathered_lines(const struct gathered *g, size_t n);

/* The header and the first n bytes that wait give way to what is left of them, which is freed. */
void gathered_put_back(struct gathered *g, size_t n, struct gathered *left);

/* The first n bytes that wait go. */
void gathered_drop(struct gathered *g, size_t n);
/* The header goes. */
void gathered_drop_header(struct gathered *g);

/* Lines are numbered from 1 on, the header's included. */

/* How many of the first n bytes that wait lie before a line; n: it is none of them. */
size_t gathered_before(const struct gathered *g, size_t n, size_t line);
/* Takes a line out of the first n bytes that wait: how many bytes went.  0: it is none of them. */
size_t gathered_cut_line(struct gathered *g, size_t n, size_t line);
/* Takes those lines out of them that are again one of the header: how many bytes are left of the n.
 * Adds the number of lines to *lines. */
size_t gathered_cut_headers(struct gathered *g, size_t n, size_t *lines);

#endif
