/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of individual samples that one tool writes, known by the names of its columns: for the
 * formats that are such a table, or have one among others. */
#ifndef FORMATS_BENCH_TOOL_TABLE_H
#define FORMATS_BENCH_TOOL_TABLE_H

#include "formats/csv_rows.h"
#include "formats/lines.h"

/* One column of a tool's table: its title, and what it holds in which unit. */
struct tool_column {
	enum role role;
	const char *title;
	enum unit unit;
	bool optional;
};

/* How the tables of one tool look; a constant of its format. */
struct tool_table {
	const struct tool_column *column;
	size_t n_columns;
	const char *separators; /* one of these */
	/* As in struct rows. */
	struct str layer, name;
	double granularity;
	const struct row_filter *filter;
	const char *header; /* all of it; NULL: whatever has all columns */
	/* Of a tool that also writes reports: reads an input without a header, all of it. */
	const struct line_format *reports;
};

/* Whether the line is a header. */
bool tool_table_is_head(const struct tool_table *t, struct str line);
/* Whether the first line of a file is: for probes. */
bool tool_table_begins(const struct tool_table *t, struct str head);

/* For formats whose spec is one: reads the rows after the first line that is a header. */
MUST_CHECK bool tool_table_read(const struct read_task *task);

#endif
