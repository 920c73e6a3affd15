/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The terminal, through ncurses; no other file uses ncurses.
 *
 * There is only one terminal, so its state is global.
 */
#ifndef TUI_TERMINAL_H
#define TUI_TERMINAL_H

#include <stdio.h>

#include "base/attr.h"
#include "canvas/canvas.h"
#include "tui/config.h"
#include "tui/key.h"
#include "tui/tui.h"

/* Takes over the terminal; keys are read from `in`, which must be a terminal.  Signals that end
 * the program restore it first.  False, with the terminal unchanged, when it cannot be used. */
MUST_CHECK bool terminal_open(FILE *in, FILE *out, bool colors, const struct config *config);
void terminal_close(void); /* restores the terminal; does nothing when it is not open */

/* Returns the current size of the terminal, in cells. */
void terminal_size(unsigned *ret_rows, unsigned *ret_cols);
/* Waits for a key; KEYCODE_NONE after the timeout, or when the size has changed. */
keycode terminal_key(int timeout_ms);
struct screen_position terminal_clicked(void); /* position of the last KEYCODE_CLICK */
void terminal_show(const struct canvas *c, struct screen_position cursor);
void terminal_redraw(void);
void terminal_suspend(void);
void terminal_mouse(bool on);
/* Copies text to the clipboard by OSC 52; false when it is longer than terminals accept. */
MUST_CHECK bool terminal_copy(struct str text, bool through_tmux);

#endif
