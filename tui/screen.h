/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Within tui/: what surrounds a view (title, hints, messages), and where things lie. */
#ifndef TUI_SCREEN_H
#define TUI_SCREEN_H

#include "tui/tui.h"

/* The view's area of a screen of this size. */
struct area {
	unsigned row, rows;
};
struct area screen_area(unsigned rows);

/* A mouse button went down there. */
void screen_click(struct tui *t, unsigned row, unsigned col);

#endif
