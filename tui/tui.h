/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The browser: keys in, a canvas out.
 *
 *	key -> action -> state of the browser -> canvas
 *
 * None of it depends on a terminal.  It asks the host for what it cannot do itself.
 */
#ifndef TUI_TUI_H
#define TUI_TUI_H

#include "tui/screen.h"
#include "tui/state.h"

/* Makes a browser; `s` must outlive it. */
struct tui *tui_new(const struct browsed *s, const struct tui_host *host,
		    const struct glyphs *glyphs);
void tui_free(struct tui *t);

bool tui_key(struct tui *t, keycode key); /* false when the browser should end */
void tui_click(struct tui *t, unsigned row, unsigned col);
/* Sets the status of the watched run, shown in the title: parts that each end in a newline, the
 * most important first.  A part may have a short form, after a tab.  Empty: nothing is watched. */
void tui_set_status(struct tui *t, struct str status);
/* Call this while no key is pressed: prepares a piece of what views need; false when nothing is
 * left to prepare. */
bool tui_prepare(struct tui *t);
/* Call this when no key was pressed for a while: checks whether files have changed. */
void tui_idle(struct tui *t);

#endif
