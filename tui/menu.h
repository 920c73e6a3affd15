/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A few choices in a box, over whatever is seen. */
#ifndef TUI_MENU_H
#define TUI_MENU_H

#include "tui/canvas.h"
#include "tui/key.h"
#include "tui/viewport.h"

struct tui;

enum { MENU_MAX = 48 };

/* One choice of a menu. */
struct menu_line {
	const char *text; /* static */
	size_t value;
};

/* An open menu: its choices, and what is called with the one that is taken. */
struct menu {
	const char *title;
	struct menu_line line[MENU_MAX];
	size_t n;
	struct viewport viewport;
	void (*chosen)(struct tui *t, size_t value);
};

/* Scrolls it so that the selection is seen on a canvas of so many rows. */
void menu_fit(struct menu *m, unsigned rows);
/* Draws it as it is scrolled. */
void menu_draw(const struct menu *m, struct canvas *c);

#endif
