/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/table/summary_table.h"

#include "formats/measure.h"
#include "formats/text.h"

/* A row while it is parsed: the remaining columns are between both ends. */
struct split {
	const struct summary_table *table;
	const struct lines *lines;
	struct cursor c; /* at the remaining columns */
	struct statistics *ret;
};

static inline bool is_time(enum summary_column what)
{
	return what >= SUMMARY_TOTAL && what <= SUMMARY_TIME;
}

static inline bool time_of_word(const struct summary_table *t, struct str word, struct decimal *ret)
{
	if (t->suffix.n > 0) {
		if (!str_has_suffix(word, t->suffix))
			return false;
		word.n -= t->suffix.n;
	}
	return decimal_parse(word, ret) && ret->billionths >= 0 &&
	       decimal_times(*ret, t->factor, ret);
}

static inline void keep_time(struct split *s, enum summary_column what, struct decimal v,
			     struct str where)
{
	struct statistics *row = s->ret;

	if (what == SUMMARY_MIN) {
		row->min = v;
		row->has_min = true;
	} else if (what == SUMMARY_MAX) {
		row->max = v;
		row->has_max = true;
	} else if (what == SUMMARY_TOTAL || what == SUMMARY_MEAN) {
		row->total = v;
		row->total_at = where;
		row->rounded = what == SUMMARY_MEAN;
	}
}

/* An empty word means that the row has no more words. */
static inline bool take_word(struct split *s, enum summary_column what, struct str word)
{
	struct decimal v;
	uint64_t index;

	if (is_time(what)) {
		if (!time_of_word(s->table, word, &v))
			return lines_fail(s->lines, DIAG_NUMBER_BAD, word, "%s",
					  s->table->expected_time);
		keep_time(s, what, v, word);
		return true;
	}
	if (word.n == 0 || (what == SUMMARY_SHARE && !str_has_suffix(word, STR("%"))) ||
	    (what == SUMMARY_INDEX && number_u64(word, &index) != NUMBER_OK))
		return lines_fail(s->lines, DIAG_LINE_UNEXPECTED, s->lines->text, "%s",
				  s->table->expected);
	if (what == SUMMARY_NAME)
		s->ret->name = word;
	if (what != SUMMARY_COUNT)
		return true;
	s->ret->count_at = word;
	return lines_count(s->lines, word, &s->ret->count, s->table->expected_count);
}

/* "184.645 us" */
static bool take_measure(struct split *s, enum summary_column what)
{
	struct decimal v;
	struct str where;

	if (!measure_scan(&s->c, &v, &where))
		return lines_fail(s->lines, DIAG_NUMBER_BAD, str_trim(cursor_rest(&s->c)), "%s",
				  s->table->expected_time);
	keep_time(s, what, v, where);
	return true;
}

static bool take_first(struct split *s, enum summary_column what)
{
	const char *end = s->c.in->bytes.p + s->c.end;
	struct str word = { end, 0 };

	if (s->table->measured && is_time(what))
		return take_measure(s, what);
	if (what == SUMMARY_NAME && s->table->unnamed != NULL &&
	    str_begins_with_digit(cursor_rest(&s->c))) {
		s->ret->name = str_from(s->table->unnamed);
		return true;
	}
	return (scan_word(&s->c, &word) || word.n == 0) && take_word(s, what, word);
}

/* Parses the columns after a name that may have blanks, from the end; *row: the rest. */
static bool take_last(struct split *s, const enum summary_column *column, struct str *row)
{
	size_t n = 0;

	while (column[n] != SUMMARY_END)
		n++;
	for (; column[n - 1] != SUMMARY_NAME; n--) {
		if (!take_word(s, column[n - 1], text_last_word(row)))
			return false;
	}
	return true;
}

bool summary_split(const struct summary_table *t, const struct lines *l, struct str row,
		   struct statistics *ret)
{
	struct split s = { .table = t, .lines = l, .ret = ret };
	const enum summary_column *what = t->column;

	*ret = (struct statistics){ .count = 0 };
	if (t->blanks && !take_last(&s, t->column, &row))
		return false;
	s.c = cursor_at(l->in, row);
	for (; *what != SUMMARY_END && !(t->blanks && *what == SUMMARY_NAME); what++) {
		if (!take_first(&s, *what))
			return false;
	}
	row = str_trim(cursor_rest(&s.c));
	if (t->blanks && row.n == 0)
		return lines_fail(l, DIAG_LINE_UNEXPECTED, l->text, "%s", t->expected_name);
	if (t->blanks)
		return take_word(&s, SUMMARY_NAME, row);
	return row.n == 0 ||
	       lines_fail(l, DIAG_LINE_UNEXPECTED, row, "expected the end of the row");
}

bool summary_push(const struct summary_table *t, const struct lines *l, struct str layer,
		  const struct statistics *row)
{
	struct statistics of = *row;

	if (of.rounded && !decimal_times(of.total, of.count, &of.total))
		return lines_fail(l, DIAG_TOTAL_OVERFLOW, of.total_at, "mean times %s", t->counted);
	of.layer = layer;
	of.unit = t->unit;
	of.unique = t->unique;
	if (t->unnamed != NULL)
		of.where = l->text;
	return statistics_push(&of, l->to);
}
