/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables printed by the clients of MySQL and MariaDB, among other lines:
 *
 *	+----------+-------+        TIME	COUNT        *************************** 1. row ***
 *	| TIME     | COUNT |        0.000001	2             TIME: 0.000001
 *	+----------+-------+        0.000010	3            COUNT: 2
 *	| 0.000001 |     2 |                                  *************************** 2. row ***
 *	+----------+-------+
 *
 * in boxes, separated by tabs (-B), and with one line per field (\G).
 */
#ifndef FORMATS_STORAGE_CLIENT_TABLE_H
#define FORMATS_STORAGE_CLIENT_TABLE_H

#include "formats/lines.h"

enum { CLIENT_TITLES = 8, CLIENT_COLUMNS = 32 };

/* The columns to look for. */
struct client_wants {
	const char *title[CLIENT_TITLES]; /* lower case; NULL after the last */
	/* Whether a table with these columns is wanted. */
	bool (*is_wanted)(const bool *has);
};

/* The part of a table that was read last. */
enum client_state {
	CLIENT_OUTSIDE,
	CLIENT_BOX_HEAD, /* the first border */
	CLIENT_BOX_RULE, /* the titles */
	CLIENT_BOX_ROWS, /* the border below the titles */
	CLIENT_TABS,
	CLIENT_RECORDS,
};

/* The state of reading tables row by row. */
struct client_tables {
	struct lines lines;
	struct str field[CLIENT_TITLES]; /* fields of the current row, by title; empty: missing */
	struct str where;		 /* the current line, or the first line of its record */

	/* Private. */
	const struct client_wants *wants;
	enum client_state state;
	bool wanted;		      /* the current table is wanted */
	bool row_ahead;		      /* the first row was read together with the table's head */
	size_t n_columns;	      /* columns of the current table */
	size_t title[CLIENT_COLUMNS]; /* title of each column; CLIENT_TITLES: not wanted */
};

/* Begins to read tables with the wanted columns. */
void client_start(struct client_tables *t, struct input *in, const struct client_wants *wants,
		  struct diag *diag);

/* What client_next() found; BAD: an error was reported. */
enum client_next { CLIENT_END, CLIENT_TABLE, CLIENT_ROW, CLIENT_BAD };

/* Reads on.  CLIENT_TABLE: a wanted table begins.  CLIENT_BAD: an error was reported. */
MUST_CHECK enum client_next client_next(struct client_tables *t);

/* Whether a wanted table begins in the text; for probes. */
bool client_has_table(struct str text, const struct client_wants *wants);

#endif
