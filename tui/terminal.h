/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The terminal, by ncurses: the only file that knows it.
 *
 * There is one terminal, so what stands here is the one place with state of its own.
 */
#ifndef TUI_TERMINAL_H
#define TUI_TERMINAL_H

#include <stdio.h>

#include "base/attr.h"
#include "tui/canvas.h"
#include "tui/config.h"
#include "tui/key.h"
#include "tui/tui.h"

/* Takes the terminal over: keys come from `in`, which must be one.  A signal that ends
 * the program puts it back first.  False, with the terminal as it was, when it cannot be
 * used. */
MUST_CHECK bool terminal_open(FILE *in, FILE *out, bool colors, const struct config *config);
void terminal_close(void); /* puts everything back; does nothing when it is not open */

void terminal_size(unsigned *ret_rows, unsigned *ret_cols);
/* KEYCODE_NONE after this time, or when the size has changed. */
keycode terminal_key(int timeout_ms);
struct screen_position terminal_clicked(void); /* where, after KEYCODE_CLICK */
void terminal_show(const struct canvas *c, struct screen_position cursor);
void terminal_redraw(void);
void terminal_suspend(void);
void terminal_mouse(bool on);
/* By OSC 52; false where the text is longer than terminals take. */
MUST_CHECK bool terminal_copy(struct str text, bool through_tmux);

#endif
