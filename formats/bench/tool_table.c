/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/bench/tool_table.h"

#include "formats/text.h"

/* Finds the field of the header with this title; false when there is none. */
static bool find_title(struct str head, char separator, const char *title, size_t *ret)
{
	struct str field, rest = head;
	bool more = true;

	for (size_t i = 0; more; i++) {
		more = str_cut(rest, separator, &field, &rest);
		if (str_eq(str_trim(more ? field : rest), str_from(title))) {
			*ret = i;
			return true;
		}
	}
	return false;
}

static bool find_columns(const struct tool_table *t, struct str head, char separator,
			 struct columns *ret)
{
	*ret = (struct columns){ .kind = KIND_SAMPLES, .n = 1 };
	for (size_t i = 0; i < t->n_columns; i++) {
		const struct tool_column *c = &t->column[i];

		ret->has[c->role] = find_title(head, separator, c->title, &ret->at[c->role]);
		ret->unit[c->role] = c->unit;
		if (!ret->has[c->role] && !c->optional)
			return false;
	}
	for (size_t i = 0; i < head.n; i++)
		ret->n += head.p[i] == separator;
	return true;
}

/* Returns the separator with which the header has all columns; 0: none.  Headers with quotes are
 * rejected: no tool writes them, and a quoted field could continue on the next line. */
static char find_separator(const struct tool_table *t, struct str head, struct columns *ret)
{
	if (str_contains(head, STR("\"")))
		return 0;
	for (const char *separator = t->separators; *separator != '\0'; separator++) {
		if (find_columns(t, head, *separator, ret))
			return *separator;
	}
	return 0;
}

bool tool_table_is_head(const struct tool_table *t, struct str line)
{
	struct columns ignored;

	return t->header != NULL ? str_eq(line, str_from(t->header))
				 : find_separator(t, line, &ignored) != 0;
}

bool tool_table_begins(const struct tool_table *t, struct str head)
{
	struct str line;

	return text_line(&head, &line) && tool_table_is_head(t, line);
}

/* Returns the first line that is a header; empty when there is none. */
static struct str find_head(const struct tool_table *t, struct str text)
{
	struct str line;

	while (text_line(&text, &line)) {
		if (tool_table_is_head(t, line))
			return line;
	}
	return (struct str){ text.p, 0 };
}

static bool has_head(const void *table, struct str text)
{
	return find_head(table, text).n > 0;
}

static bool read_rows(const struct tool_table *t, const struct read_task *task, struct str head)
{
	struct rows r = { .in = task->in,
			  .options = task->options,
			  .to = task->to,
			  .diag = task->diag,
			  .layer = t->layer,
			  .name = t->name,
			  .filter = t->filter,
			  .granularity = t->granularity };
	char separator = find_separator(t, head, &r.columns);
	bool ok;

	if (separator == 0)
		return format_fail(task->in, task->diag, DIAG_COLUMN_MISSING,
				   (struct str){ task->in->bytes.p, 1 },
				   "no header that has the column %s", t->column[0].title);
	table_start(&r.table, task->in, separator, task->diag);
	r.table.at = (size_t)(head.p - task->in->bytes.p);
	ok = table_next(&r.table) == TABLE_RECORD && rows_read_samples(&r);
	table_release(&r.table);
	return ok;
}

bool tool_table_read(const struct read_task *task)
{
	const struct tool_table *t = task->spec;
	struct read_task reports = *task;
	struct str text, head;

	if (!format_look_for(task->in, has_head, t, &text, task->diag))
		return false;
	head = find_head(t, text);
	if (head.n > 0 || t->reports == NULL)
		return read_rows(t, task, head);
	reports.spec = t->reports;
	return format_complete(task->in, task->diag) && lines_read(&reports);
}
