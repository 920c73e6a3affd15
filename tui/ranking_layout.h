/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Within tui/: the ranking's list and the operation, which is drawn to the right of it or below. */
#ifndef TUI_RANKING_LAYOUT_H
#define TUI_RANKING_LAYOUT_H

#include "tui/canvas.h"

/* Where a list of n and the detail lie in an area; no detail: its rows are 0.  Beside the
 * detail the list has what it wants, up to half of the columns. */
struct ranking_layout {
	unsigned list_rows, list_cols;
	unsigned detail_row, detail_col, detail_rows, detail_cols;
};
/* Where the parts of the ranking lie on a screen of this size. */
struct ranking_layout ranking_layout(unsigned rows, unsigned cols, size_t n, unsigned wanted_cols);

#endif
