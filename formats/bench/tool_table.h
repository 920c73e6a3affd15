/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of individual samples written by a tool, recognized by the titles of their columns; for
 * formats that consist of such a table or contain one. */
#ifndef FORMATS_BENCH_TOOL_TABLE_H
#define FORMATS_BENCH_TOOL_TABLE_H

#include "formats/lines.h"
#include "formats/table/csv_rows.h"

/* One column of a tool's table: its title, role, and unit. */
struct tool_column {
	enum role role;
	const char *title;
	enum unit unit;
	bool optional;
};

/* The layout of a tool's tables; a constant of its format. */
struct tool_table {
	const struct tool_column *column;
	size_t n_columns;
	const char *separators; /* allowed separators */
	/* As in struct rows. */
	struct str layer, name;
	double granularity;
	const struct row_filter *filter;
	const char *header; /* the whole header; NULL: any that has all columns */
	/* For a tool that also writes reports: reads inputs without a header. */
	const struct line_format *reports;
};

/* Whether the line is a header. */
bool tool_table_is_head(const struct tool_table *t, struct str line);
/* Whether the first line of a file is a header; for probes. */
bool tool_table_begins(const struct tool_table *t, struct str head);

/* The reader of formats whose spec is a struct tool_table: reads the rows after the first header.
 */
MUST_CHECK bool tool_table_read(const struct read_task *task);

#endif
