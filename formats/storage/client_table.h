/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables as the clients of MySQL and MariaDB print them, among other lines:
 *
 *	+----------+-------+        TIME	COUNT        *************************** 1. row ***
 *	| TIME     | COUNT |        0.000001	2             TIME: 0.000001
 *	+----------+-------+        0.000010	3            COUNT: 2
 *	| 0.000001 |     2 |                                  *************************** 2. row ***
 *	+----------+-------+
 *
 * in boxes, separated by tabs (-B), and a line a field (\G).
 */
#ifndef FORMATS_STORAGE_CLIENT_TABLE_H
#define FORMATS_STORAGE_CLIENT_TABLE_H

#include "formats/lines.h"

enum { CLIENT_TITLES = 8, CLIENT_COLUMNS = 32 };

/* Which columns are looked for. */
struct client_wants {
	const char *title[CLIENT_TITLES]; /* small letters; NULL after the last */
	/* Whether a table with these is one of those that are wanted. */
	bool (*is_wanted)(const bool *has);
};

/* Where in a table the current line is. */
enum client_state {
	CLIENT_OUTSIDE,
	CLIENT_BOX_HEAD, /* its first border was seen */
	CLIENT_BOX_RULE, /* its titles */
	CLIENT_BOX_ROWS, /* the border below them */
	CLIENT_TABS,
	CLIENT_RECORDS,
};

/* A text while its tables are read row by row. */
struct client_tables {
	struct lines lines;
	struct str field[CLIENT_TITLES]; /* of the current row, by title; empty: not there */
	struct str where;		 /* the current line, or where its record begins */

	/* Its own. */
	const struct client_wants *wants;
	enum client_state state;
	bool wanted;		      /* the current table */
	bool row_ahead;		      /* it was read with its table's beginning */
	size_t n_columns;	      /* of it */
	size_t title[CLIENT_COLUMNS]; /* of each column; CLIENT_TITLES: none that is looked for */
};

/* Begins to look for tables with the wanted columns. */
void client_start(struct client_tables *t, struct input *in, const struct client_wants *wants,
		  struct diag *diag);

/* What client_next() found; BAD: an error was reported. */
enum client_next { CLIENT_END, CLIENT_TABLE, CLIENT_ROW, CLIENT_BAD };

/* CLIENT_TABLE: one that is wanted begins.  CLIENT_BAD: an error was reported. */
MUST_CHECK enum client_next client_next(struct client_tables *t);

/* Whether a table that is wanted begins among the lines: for probes. */
bool client_has_table(struct str text, const struct client_wants *wants);

#endif
