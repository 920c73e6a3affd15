/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Within tui/: the layout of the ranking: the list with its columns, and the current operation to
 * its right or below it. */
#ifndef TUI_RANKING_LAYOUT_H
#define TUI_RANKING_LAYOUT_H

#include "tui/state.h"

/* The areas of the list, of the picture and of the words about the current operation; a part
 * without room has no rows.  Words that have no area of their own share the picture's. */
struct ranking_layout {
	unsigned list_rows, list_cols;
	unsigned detail_row, detail_col, detail_rows, detail_cols;
	unsigned words_row, words_rows; /* below the list and as wide */
};
/* Returns the layout for an area of this size and a list of n items. */
struct ranking_layout ranking_layout(unsigned rows, unsigned cols, size_t n);

enum { RANKING_FLAGS = 4, MAX_FIELDS = 8 }; /* columns before the names; most fields of a row */

/* A field of each row: one number, or the numbers of both runs. */
struct field {
	size_t column, after; /* after: COLUMN_RANK for a field of one number */
	size_t sorts;	      /* the column that a click on its title sorts by */
	unsigned col, width;
	bool left; /* left-aligned */
};

/* The fields of the list at some width. */
struct fields {
	struct field v[MAX_FIELDS];
	size_t n;
	unsigned name_width;
	bool names_first;			  /* names get their width before other fields */
	unsigned spark_col[N_SIDES], spark_width; /* 0: no room */
};

/* Chooses the fields for a list of `width` columns; `names_first` if names may take the room of
 * sparklines. */
struct fields fields_for(const struct tui *t, unsigned width, bool names_first);

#endif
