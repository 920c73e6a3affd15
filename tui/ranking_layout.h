/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Within tui/: the layout of the ranking: the list, and the current operation to its right or
 * below it. */
#ifndef TUI_RANKING_LAYOUT_H
#define TUI_RANKING_LAYOUT_H

#include "tui/canvas.h"

/* The areas of the list and of the detail; detail_rows is 0 when there is no room for a detail. */
struct ranking_layout {
	unsigned list_rows, list_cols;
	unsigned detail_row, detail_col, detail_rows, detail_cols;
};
/* Returns the layout for an area of this size and a list of n items.  Side by side with the
 * detail, the list gets `wanted_cols` columns, but at most half of all. */
struct ranking_layout ranking_layout(unsigned rows, unsigned cols, size_t n, unsigned wanted_cols);

#endif
