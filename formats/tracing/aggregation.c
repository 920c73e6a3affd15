/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/tracing/aggregation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/scan.h"
#include "base/xalloc.h"
#include "formats/format.h"

static const int64_t highest_power = INT64_C(1) << 62;

void label_table_release(struct label_table *t)
{
	free(t->row);
	*t = (struct label_table){ 0 };
}

/* --- rows --------------------------------------------------------------------- */

static const struct {
	const char *text;
	enum label_mark mark;
} marks[] = {
	{ "abs() <", LABEL_WITHIN }, { "<=", LABEL_UP_TO }, { ">=", LABEL_FROM },
	{ "<", LABEL_BELOW },	     { ">", LABEL_ABOVE },
};

static enum label_mark scan_mark(struct cursor *c)
{
	if (!cursor_done(c) && memchr("<>a", c->in->bytes.p[c->at], 3) == NULL)
		return LABEL_PLAIN;
	for (size_t i = 0; i < COUNT_OF(marks); i++) {
		if (scan_literal(c, str_from(marks[i].text)))
			return marks[i].mark;
	}
	return LABEL_PLAIN;
}

bool is_label_row(struct str line)
{
	struct cursor c = CURSOR_OVER(line);

	(void)scan_mark(&c);
	scan_blanks(&c);
	if (!cursor_done(&c) && line.p[c.at] == '-')
		c.at++;
	return !cursor_done(&c) && is_digit(line.p[c.at]);
}

static struct str scan_digits(struct cursor *c)
{
	struct str s = { cursor_rest(c).p, 0 };

	while (!cursor_done(c) && is_digit(s.p[s.n])) {
		s.n++;
		c->at++;
	}
	return s;
}

static enum number scan_label(struct cursor *c, int64_t *ret)
{
	bool minus = scan_char(c, '-');
	uint64_t size;
	enum number what = number_u64(scan_digits(c), &size);

	if (what == NUMBER_OK && size > (uint64_t)INT64_MAX)
		return NUMBER_TOO_LARGE;
	if (what == NUMBER_OK)
		*ret = minus ? -(int64_t)size : (int64_t)size;
	return what;
}

/* A bar extends to one side of its base line, or to both. */
static bool scan_bar(struct cursor *c)
{
	const char *p = c->in->bytes.p;
	size_t at = c->at, lines = 0;

	while (at < c->end && (p[at] == ' ' || p[at] == '@' || p[at] == '|' || p[at] == '\t')) {
		size_t n = run_length(p[at], p + at, c->end - at);

		lines += p[at] == '|' ? n : 0;
		at += n;
	}
	if (lines != 1)
		return false;
	c->at = at;
	return true;
}

bool label_table_add(struct label_table *t, struct input *in, struct str line, bool cut,
		     struct diag *diag)
{
	enum diag_code damaged = cut ? DIAG_INPUT_TRUNCATED : DIAG_LINE_UNEXPECTED;
	struct cursor c = cursor_at(in, line);
	struct label_row row = { .mark = scan_mark(&c), .gap = t->gap, .where = line };
	struct str digits;

	scan_blanks(&c);
	if (scan_label(&c, &row.label) != NUMBER_OK)
		return format_fail(in, diag, DIAG_NUMBER_RANGE, line,
				   "expected a label of at most 63 bits");
	if (!scan_bar(&c))
		return format_fail(in, diag, damaged, line, "a row without a bar");
	t->negative |= scan_char(&c, '-');
	digits = scan_digits(&c);
	switch (number_u64(digits, &row.count)) {
	case NUMBER_OK:
		break;
	case NUMBER_TOO_LARGE:
		return format_fail(in, diag, DIAG_COUNT_OVERFLOW, digits, "more than 2^64-1");
	case NUMBER_NONE:
		return format_fail(in, diag, damaged, line, "a row without a count");
	}
	if (!cursor_done(&c))
		return format_fail(in, diag, DIAG_LINE_UNEXPECTED, cursor_rest(&c),
				   "expected the end of the row");
	t->row = xgrow(t->row, &t->cap, t->n + 1, sizeof(*t->row));
	t->row[t->n++] = row;
	t->gap = false;
	return true;
}

/* --- what the labels mean ------------------------------------------------------- */

/* Returns the next label after v in ... -4 -2 -1 0 1 2 4 ...; v itself at the end. */
static int64_t next_power(int64_t v)
{
	if (v == 0)
		return 1;
	if (v == -1)
		return 0;
	if (v < 0)
		return v / 2;
	return v == highest_power ? v : 2 * v;
}

static bool is_power(int64_t v)
{
	uint64_t size = v < 0 ? (uint64_t)-v : (uint64_t)v;

	return (size & (size - 1)) == 0;
}

/* The outermost powers need no row of zeroes beside them. */
static bool are_powers(const struct label_table *t)
{
	const struct label_row *first = &t->row[0], *last = &t->row[t->n - 1];

	for (size_t i = 0; i < t->n; i++) {
		const struct label_row *row = &t->row[i];

		if (row->mark != LABEL_PLAIN || !is_power(row->label))
			return false;
		if (i > 0 && !row->gap && row->label != next_power(t->row[i - 1].label))
			return false;
	}
	return (first->count == 0 || first->label == -highest_power || first->label == 0) &&
	       (last->count == 0 || last->label == highest_power);
}

/* Returns the distance to the next label if that is adjacent; 0 if the row does not tell. */
static uint64_t label_distance(const struct label_table *t, size_t i)
{
	const struct label_row *row = &t->row[i], *next = row + 1;
	int64_t step;

	if (i + 1 >= t->n || next->gap || row->mark != LABEL_PLAIN ||
	    (next->mark != LABEL_PLAIN && next->mark != LABEL_FROM) ||
	    __builtin_sub_overflow(next->label, row->label, &step) || step <= 0)
		return 0;
	return (uint64_t)step;
}

uint64_t label_table_step(const struct label_table *t)
{
	uint64_t step = 0;

	for (size_t i = 0; i < t->n && step == 0; i++)
		step = label_distance(t, i);
	return step;
}

static bool are_linear(const struct label_table *t)
{
	uint64_t step = label_table_step(t);

	for (size_t i = 0; i < t->n; i++) {
		uint64_t here = label_distance(t, i);

		if (t->row[i].mark == LABEL_WITHIN || t->row[i].mark == LABEL_UP_TO ||
		    (here != 0 && here != step))
			return false;
	}
	return true;
}

enum labels label_table_kind(const struct label_table *t)
{
	if (t->n > 0 && are_powers(t))
		return LABELS_POWERS;
	return are_linear(t) ? LABELS_LINEAR : LABELS_CHANGE_POINTS;
}

/* Finds the edges of a plain row; false when the table does not show them. */
static bool plain_bounds(const struct label_table *t, size_t i, enum labels kind, uint64_t step,
			 double *ret_low, double *ret_high)
{
	const struct label_row *row = &t->row[i], *next = row + 1;
	double v = (double)row->label;

	if (kind == LABELS_POWERS) { /* of whole numbers: (a, b] is [a + 1, b + 1) */
		*ret_low = v < 0 ? 2 * v + 1 : v;
		*ret_high = v > 0 ? 2 * v : v + 1;
		return true;
	}
	if (kind == LABELS_CHANGE_POINTS && v < 0) {
		*ret_low = i > 0 ? (double)row[-1].label + 1 : 0;
		*ret_high = v + 1;
		return i > 0;
	}
	*ret_low = v;
	if (kind == LABELS_CHANGE_POINTS) {
		*ret_high = i + 1 < t->n ? (double)next->label : 0;
		return i + 1 < t->n;
	}
	*ret_high = v + (double)step;
	return step > 0;
}

bool label_table_cut(const struct label_table *t, bool pads)
{
	const struct label_row *last = &t->row[t->n - 1];

	if (last->mark != LABEL_PLAIN || last->count == 0 || last->label == highest_power)
		return false;
	if (pads)
		return true;
	for (size_t i = 0; i < t->n; i++) {
		if (t->row[i].mark != LABEL_PLAIN || !is_power(t->row[i].label))
			return false;
	}
	return t->n > 1 && last[-1].label > 1 && last->label == 2 * last[-1].label;
}

static bool row_bounds(const struct label_table *t, size_t i, enum labels kind, uint64_t step,
		       double *ret_low, double *ret_high)
{
	double v = (double)t->row[i].label;

	*ret_low = -HUGE_VAL;
	*ret_high = HUGE_VAL;
	switch (t->row[i].mark) {
	case LABEL_PLAIN:
		break;
	case LABEL_BELOW:
		*ret_high = v;
		return true;
	case LABEL_WITHIN:
		*ret_low = -v + 1;
		*ret_high = v;
		return true;
	case LABEL_UP_TO:
		*ret_high = v + 1;
		return true;
	case LABEL_FROM:
		*ret_low = v;
		return true;
	case LABEL_ABOVE:
		*ret_low = v + (double)step;
		return step > 0;
	}
	return plain_bounds(t, i, kind, step, ret_low, ret_high);
}

bool label_table_push(const struct label_table *t, struct input *in, struct str where,
		      struct builder *to, struct diag *diag)
{
	enum labels kind = label_table_kind(t);
	uint64_t step = label_table_step(t);

	if (!build_histogram(to, where))
		return false;
	for (size_t i = 0; i < t->n; i++) {
		const struct label_row *row = &t->row[i];
		double low, high;

		if (!row_bounds(t, i, kind, step, &low, &high)) {
			if (row->count == 0)
				continue; /* it only shows where the adjacent bucket ends */
			return format_fail(in, diag, DIAG_INPUT_TRUNCATED, row->where,
					   "the table does not show where this bucket ends");
		}
		if (kind == LABELS_POWERS && row->count == 0)
			continue; /* labels 0, 1, 2 may be those of a linear table as well */
		if (!build_range(to, low, high, row->count, row->where))
			return false;
	}
	return true;
}
