/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/bench/tool_table.h"

#include "formats/text.h"

/* Which field of the header is called so; false when none is. */
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

/* The separator with which the header has all columns; 0: there is none.  No tool's header has
 * quotes; within them a record could go on with the next line. */
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

	return find_separator(t, line, &ignored) != 0;
}

bool tool_table_begins(const struct tool_table *t, struct str head)
{
	struct str line;

	return text_line(&head, &line) && tool_table_is_head(t, line);
}

/* The header among the lines of text; empty where there is none. */
static struct str find_head(struct str text, bool (*is_head)(struct str line))
{
	struct str line;

	while (text_line(&text, &line)) {
		if (is_head(line))
			return line;
	}
	return (struct str){ text.p, 0 };
}

bool tool_table_read(const struct tool_table *t, bool (*is_head)(struct str line), struct input *in,
		     const struct read_options *options, struct builder *to, struct diag *diag)
{
	struct rows r = { .in = in,
			  .options = options,
			  .to = to,
			  .diag = diag,
			  .layer = t->layer,
			  .name = t->name,
			  .filter = t->filter,
			  .granularity = t->granularity };
	struct str head, line;
	char separator;
	bool ok;

	if (!format_look(in, is_head, &head, diag))
		return false;
	line = find_head(head, is_head);
	separator = find_separator(t, line, &r.columns);
	if (separator == 0)
		return format_fail(in, diag, DIAG_COLUMN_MISSING, (struct str){ in->bytes.p, 1 },
				   "no header that has the column %s", t->column[0].title);
	table_start(&r.table, in, separator, diag);
	r.table.at = (size_t)(line.p - in->bytes.p);
	ok = table_next(&r.table) == TABLE_RECORD && rows_read_samples(&r);
	table_release(&r.table);
	return ok;
}

bool tool_table_read_or(const struct tool_table *t, bool (*is_head)(struct str line),
			const struct read_task *task, bool (*other)(const struct read_task *task))
{
	struct str head;

	if (!format_look(task->in, is_head, &head, task->diag))
		return false;
	if (text_has(head, is_head))
		return tool_table_read(t, is_head, task->in, task->options, task->to, task->diag);
	return format_complete(task->in, task->diag) && other(task);
}
