/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Within tui/: what the ranking says about the current operation, which scrolls. */
#ifndef TUI_WORDS_H
#define TUI_WORDS_H

#include "tui/state.h"

/* Returns how many rows the words get when they share `rows` rows of `cols` columns with a
 * picture; 0 when there is room for neither. */
unsigned words_rows(const struct tui *t, const struct item *i, unsigned rows, unsigned cols);
/* Prepares for drawing on `rows` rows; words of another operation begin at their first line. */
void words_fit(struct tui *t, const struct item *i, unsigned rows, unsigned cols);
/* Draws what fits; the last row says when more follows. */
void words_draw(struct canvas *c, const struct tui *t, const struct item *i);

#endif
