/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The bytes of a source that are not read yet, after the header that each segment is read with.
 *
 * Pointers into it are valid until something is appended.
 */
#ifndef WATCH_PENDING_H
#define WATCH_PENDING_H

#include <stddef.h>

#include "base/str.h"

/* {} is empty; pending_free() frees its memory. */
struct pending {
	char *buf;	/* the header, then the pending bytes; of pages.h */
	size_t n, cap;	/* bytes */
	size_t lines;	/* newlines in buf */
	size_t header;	/* bytes of the header */
	size_t headers; /* lines of the header */
};

void pending_free(struct pending *g);

/* Returns room for n bytes after the pending ones.  pending_append() need not copy what was written
 * there. */
char *pending_room(struct pending *g, size_t n);
/* Appends n bytes, which may lie in the room already. */
void pending_append(struct pending *g, const char *bytes, size_t n);

static inline struct str pending_bytes(const struct pending *g)
{
	return (struct str){ g->buf + g->header, g->n - g->header };
}

/* The header and the first n pending bytes. */
static inline struct str pending_segment(const struct pending *g, size_t n)
{
	return (struct str){ g->buf, g->header + n };
}

/* Returns the number of newlines among the first n pending bytes. */
size_t pending_lines(const struct pending *g, size_t n);

/* Replaces the header and the first n pending bytes by the header and the bytes of `left`, and
 * frees `left`. */
void pending_put_back(struct pending *g, size_t n, struct pending *left);

/* Drops the first n pending bytes. */
void pending_drop(struct pending *g, size_t n);
void pending_drop_header(struct pending *g);

/* Lines are numbered from 1, those of the header included. */

/* Returns how many of the first n pending bytes lie before a line; n if the line is not there. */
size_t pending_before(const struct pending *g, size_t n, size_t line);
/* Removes a line from the first n pending bytes, and returns its bytes; 0 if it is not there. */
size_t pending_cut_line(struct pending *g, size_t n, size_t line);
/* Removes lines that repeat one of the header from the first n pending bytes.  Returns how many of
 * the n bytes are left, and adds the number of lines to *lines. */
size_t pending_cut_headers(struct pending *g, size_t n, size_t *lines);

#endif
