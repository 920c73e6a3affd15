/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A box of a few choices, drawn over the view. */
#ifndef TUI_MENU_H
#define TUI_MENU_H

#include "canvas/canvas.h"
#include "tui/key.h"
#include "tui/viewport.h"

struct tui;

enum { MENU_MAX = 48 };

/* One choice of a menu. */
struct menu_line {
	const char *text; /* static */
	size_t value;
};

/* An open menu: its choices, and the function that is called with the chosen one. */
struct menu {
	const char *title;
	struct menu_line line[MENU_MAX];
	size_t n;
	struct viewport viewport;
	void (*chosen)(struct tui *t, size_t value);
};

/* Scrolls the menu so that the selection is visible on a canvas of `rows` rows. */
void menu_fit(struct menu *m, unsigned rows);
/* Draws the menu at its scroll position. */
void menu_draw(const struct menu *m, struct canvas *c);

#endif
