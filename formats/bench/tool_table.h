/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of individual samples that one tool writes, known by the names of its columns: for the
 * formats that are such a table, or have one among others. */
#ifndef FORMATS_BENCH_TOOL_TABLE_H
#define FORMATS_BENCH_TOOL_TABLE_H

#include "formats/csv_rows.h"

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
};

/* Whether the line is a header that has all columns. */
bool tool_table_is_head(const struct tool_table *t, struct str line);
/* Whether the first line of a file is: for probes. */
bool tool_table_begins(const struct tool_table *t, struct str head);

/* Reads the rows after the first header, `is_head`, which some line of the input is. */
MUST_CHECK bool tool_table_read(const struct tool_table *t, bool (*is_head)(struct str line),
				struct input *in, const struct read_options *options,
				struct builder *to, struct diag *diag);

/* The same of a tool that also writes reports: where no line is a header, `other` reads the input,
 * all of it. */
MUST_CHECK bool tool_table_read_or(const struct tool_table *t, bool (*is_head)(struct str line),
				   const struct read_task *task,
				   bool (*other)(const struct read_task *task));

#endif
