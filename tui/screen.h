/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Within tui/: what surrounds a view (title, hints, messages), and where things lie. */
#ifndef TUI_SCREEN_H
#define TUI_SCREEN_H

#include "tui/state.h"

/* The view's area of a screen of this size. */
struct area {
	unsigned row, rows;
};
/* The rows that a view may draw on. */
struct area screen_area(unsigned rows);

/* A cell of the screen, for the terminal's cursor. */
struct screen_position {
	unsigned row, col;
	bool shown;
};
/* Before it is drawn on a canvas of this size: scrolls what is scrolled, and gets what the view
 * shows. */
void tui_fit(struct tui *t, unsigned rows, unsigned cols);
/* Where the terminal's cursor belongs comes back. */
struct screen_position tui_draw(const struct tui *t, struct canvas *c);

/* A mouse button went down there. */
void screen_click(struct tui *t, unsigned row, unsigned col);

#endif
