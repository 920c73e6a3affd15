/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A list under a cursor, and the part of it that is seen: the arithmetic of scrolling. */
#ifndef TUI_VIEWPORT_H
#define TUI_VIEWPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "tui/keymap.h"

/* Which of n lines has the cursor, and which are seen. */
struct viewport {
	size_t n, cursor;
	size_t top;    /* first line seen */
	unsigned rows; /* lines seen */
};

/* Fits the part that is seen to n lines and so many rows. */
void viewport_resize(struct viewport *p, size_t n, unsigned rows);
/* Scrolls as little as possible so that the line is seen. */
void viewport_go(struct viewport *p, size_t cursor);
bool viewport_act(struct viewport *p, enum action a); /* true when it was a movement */

#endif
