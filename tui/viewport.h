/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The arithmetic of scrolling: a list with a cursor, and the visible part of it. */
#ifndef TUI_VIEWPORT_H
#define TUI_VIEWPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "tui/keymap.h"

/* The cursor and the visible range of a list of n lines. */
struct viewport {
	size_t n, cursor;
	size_t top;    /* first visible line */
	unsigned rows; /* number of visible lines */
};

/* Sets the number of lines and of visible rows, and adjusts the visible part. */
void viewport_resize(struct viewport *p, size_t n, unsigned rows);
/* Moves the cursor, scrolling as little as possible to keep it visible. */
void viewport_go(struct viewport *p, size_t cursor);
bool viewport_act(struct viewport *p, enum action a); /* true when it was a movement */
/* Moves the visible part of a document, which has no cursor; false for other actions. */
bool viewport_scroll(struct viewport *p, enum action a);

#endif
