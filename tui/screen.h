/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Within tui/: the frame of a view (title, hints, messages), and the layout of the screen. */
#ifndef TUI_SCREEN_H
#define TUI_SCREEN_H

#include "tui/state.h"

/* The rows of the screen that belong to the view. */
struct area {
	unsigned row, rows;
};
/* Returns the view's area on a screen of `rows` rows. */
struct area screen_area(unsigned rows);

/* The position of the terminal's cursor. */
struct screen_position {
	unsigned row, col;
	bool shown;
};
/* Prepares for drawing on a canvas of this size: adjusts scrolling, and computes what the view
 * shows. */
void tui_fit(struct tui *t, unsigned rows, unsigned cols);
/* Draws the screen; returns the position of the terminal's cursor. */
struct screen_position tui_draw(const struct tui *t, struct canvas *c);

/* Handles a mouse click at this cell. */
void screen_click(struct tui *t, unsigned row, unsigned col);

#endif
