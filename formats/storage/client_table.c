/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/storage/client_table.h"

/* --- lines -------------------------------------------------------------------------- */

/* Whether the line is like "+-------+-----+". */
static bool is_border(struct str line)
{
	if (!str_has_prefix(line, STR("+-")) || !str_has_suffix(line, STR("-+")))
		return false;
	for (size_t i = 0; i < line.n; i++) {
		if (line.p[i] != '+' && line.p[i] != '-')
			return false;
	}
	return true;
}

/* Parses "*************************** 2. row ***************************". */
static bool is_record_head(struct str line, uint64_t *ret)
{
	static const struct str stars = STR_INIT("***************");
	struct str number, rest;

	if (!str_has_prefix(line, stars) || !str_has_suffix(line, stars))
		return false;
	while (line.n > 0 && line.p[0] == '*')
		line = str_skip(line, 1);
	return str_cut(str_trim(line), '.', &number, &rest) &&
	       str_has_prefix(rest, STR(" row *")) && number_u64(number, ret) == NUMBER_OK;
}

/* Splits a line; returns the number of columns, or 0 if there are more than CLIENT_COLUMNS. */
static size_t split_columns(struct str line, char separator, struct str *column)
{
	size_t n = 0;

	if (separator == '|') {
		if (line.n < 2 || line.p[0] != '|' || line.p[line.n - 1] != '|')
			return 0;
		line = (struct str){ line.p + 1, line.n - 2 };
	}
	for (struct str one, rest = line;; line = rest, n++) {
		bool more = str_cut(line, separator, &one, &rest);

		if (n == CLIENT_COLUMNS)
			return 0;
		column[n] = str_trim(more ? one : line);
		if (!more)
			return n + 1;
	}
}

/* --- titles ------------------------------------------------------------------------- */

static size_t find_title(const struct client_wants *wants, struct str title)
{
	for (size_t i = 0; i < CLIENT_TITLES && wants->title[i] != NULL; i++) {
		if (str_eq_nocase(title, str_from(wants->title[i])))
			return i;
	}
	return CLIENT_TITLES;
}

/* Whether the titles are those of a wanted table. */
static bool read_titles(struct client_tables *t, const struct str *column, size_t n)
{
	bool has[CLIENT_TITLES + 1] = { false };

	t->n_columns = n;
	for (size_t i = 0; i < n; i++) {
		t->title[i] = find_title(t->wants, column[i]);
		has[t->title[i]] = true;
	}
	t->wanted = t->wants->is_wanted(has);
	return t->wanted;
}

/* --- rows ----------------------------------------------------------------------------- */

/* Clears the fields: errors about a missing field refer to the beginning of its row. */
static void clear_fields(struct client_tables *t)
{
	t->where = t->lines.text;
	for (size_t i = 0; i < CLIENT_TITLES; i++)
		t->field[i] = (struct str){ t->where.p, 0 };
}

static enum client_next client_table_read_row(struct client_tables *t, char separator)
{
	struct str column[CLIENT_COLUMNS], end = { t->lines.text.p + t->lines.text.n, 0 };
	size_t n = split_columns(t->lines.text, separator, column);

	if (n != t->n_columns) {
		(void)lines_fail(&t->lines, DIAG_LINE_UNEXPECTED,
				 t->lines.cut ? end : t->lines.text,
				 "expected a row of %zu columns", t->n_columns);
		return CLIENT_BAD;
	}
	clear_fields(t);
	for (size_t i = 0; i < n; i++) {
		if (t->title[i] < CLIENT_TITLES)
			t->field[t->title[i]] = column[i];
	}
	return CLIENT_ROW;
}

/* Reads the lines of a record, up to the next one.  Lines without a wanted title are skipped: they
 * continue the line above, or belong to other columns. */
static void read_record(struct client_tables *t)
{
	bool has[CLIENT_TITLES + 1] = { false };
	struct str title, value;
	uint64_t ignored;

	clear_fields(t);
	while (lines_next(&t->lines)) {
		if (is_record_head(t->lines.text, &ignored)) {
			lines_again(&t->lines);
			break;
		}
		if (str_cut(t->lines.text, ':', &title, &value)) {
			size_t i = find_title(t->wants, str_trim(title));

			if (i < CLIENT_TITLES && !has[i])
				t->field[i] = str_trim(value);
			has[i] = true;
		}
	}
	t->wanted = t->wants->is_wanted(has);
}

/* --- tables ------------------------------------------------------------------------------ */

void client_start(struct client_tables *t, struct input *in, const struct client_wants *wants,
		  struct diag *diag)
{
	*t = (struct client_tables){ .wants = wants };
	lines_start(&t->lines, in, diag);
}

static void pass_border(struct client_tables *t)
{
	switch (t->state) {
	case CLIENT_BOX_HEAD:
	case CLIENT_BOX_ROWS:
		t->state = CLIENT_OUTSIDE;
		break;
	case CLIENT_BOX_RULE:
		t->state = CLIENT_BOX_ROWS;
		break;
	case CLIENT_OUTSIDE:
	case CLIENT_TABS:
	case CLIENT_RECORDS:
		t->state = CLIENT_BOX_HEAD;
		break;
	}
}

/* Takes a record; CLIENT_END means that it is not wanted. */
static enum client_next take_record(struct client_tables *t, uint64_t number)
{
	bool goes_on = t->state == CLIENT_RECORDS && t->wanted && number > 1;

	t->state = CLIENT_RECORDS;
	read_record(t);
	if (!t->wanted && goes_on) {
		(void)format_fail(t->lines.in, t->lines.diag, DIAG_INPUT_TRUNCATED, t->where,
				  "a row without the columns of those above");
		return CLIENT_BAD;
	}
	if (!t->wanted)
		return CLIENT_END;
	t->row_ahead = !goes_on;
	return goes_on ? CLIENT_ROW : CLIENT_TABLE;
}

static enum client_next take_tabs(struct client_tables *t)
{
	struct str column[CLIENT_COLUMNS];
	struct client_tables other = *t;
	size_t n = split_columns(t->lines.text, '\t', column);

	if (n > 1 && read_titles(&other, column, n)) {
		*t = other;
		t->state = CLIENT_TABS;
		return CLIENT_TABLE;
	}
	if (t->state == CLIENT_TABS && t->lines.text.n > 0)
		return client_table_read_row(t, '\t');
	return CLIENT_END;
}

static enum client_next take_titles(struct client_tables *t)
{
	struct str column[CLIENT_COLUMNS];

	t->state = CLIENT_BOX_RULE;
	return read_titles(t, column, split_columns(t->lines.text, '|', column)) ? CLIENT_TABLE
										 : CLIENT_END;
}

static enum client_next take_line(struct client_tables *t)
{
	uint64_t number;

	if (is_border(t->lines.text)) {
		pass_border(t);
		return CLIENT_END;
	}
	if (is_record_head(t->lines.text, &number))
		return take_record(t, number);
	switch (t->state) {
	case CLIENT_BOX_HEAD:
		return take_titles(t);
	case CLIENT_BOX_RULE:
		t->state = CLIENT_OUTSIDE;
		break;
	case CLIENT_BOX_ROWS:
		return t->wanted ? client_table_read_row(t, '|') : CLIENT_END;
	case CLIENT_OUTSIDE:
	case CLIENT_TABS:
	case CLIENT_RECORDS:
		return take_tabs(t);
	}
	return CLIENT_END;
}

enum client_next client_next(struct client_tables *t)
{
	if (t->row_ahead) {
		t->row_ahead = false;
		return CLIENT_ROW;
	}
	while (lines_next(&t->lines)) {
		enum client_next what = take_line(t);

		if (what != CLIENT_END)
			return what;
	}
	if (t->wanted && (t->state == CLIENT_BOX_ROWS || t->state == CLIENT_BOX_RULE)) {
		(void)format_fail(t->lines.in, t->lines.diag, DIAG_INPUT_TRUNCATED,
				  str_skip(t->lines.in->bytes, t->lines.in->bytes.n),
				  "a table without its last border");
		return CLIENT_BAD;
	}
	return CLIENT_END;
}

bool client_has_table(struct str text, const struct client_wants *wants)
{
	struct diag ignored = { 0 };
	struct client_tables t;
	struct input in;
	bool found;

	input_borrow(&in, "", text.p, text.n);
	client_start(&t, &in, wants, &ignored);
	found = client_next(&t) == CLIENT_TABLE;
	input_release(&in);
	return found;
}
