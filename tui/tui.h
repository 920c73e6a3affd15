/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The browser: keys in, a canvas out.
 *
 *	key -> action -> what the browser knows -> canvas
 *
 * None of it knows a terminal.  What it cannot do itself, it asks of its host.
 */
#ifndef TUI_TUI_H
#define TUI_TUI_H

#include "tui/screen.h"
#include "tui/state.h"

/* What is browsed has to outlive it. */
struct tui *tui_new(const struct browsed *s, const struct tui_host *host,
		    const struct glyphs *glyphs);
void tui_free(struct tui *t);

bool tui_key(struct tui *t, keycode key); /* false once it is time to leave */
void tui_click(struct tui *t, unsigned row, unsigned col);
/* How what is watched gets on, for the title: parts, each with a newline after it, the most
 * important first; before that newline perhaps a tab and the part in short.  Empty: nothing is
 * watched. */
void tui_set_status(struct tui *t, struct str status);
/* Nothing was pressed for a while: looks whether files have changed. */
void tui_idle(struct tui *t);

#endif
