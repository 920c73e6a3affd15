/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rtla: the histograms of `rtla timerlat hist` and `rtla osnoise hist`.
 *
 *	# RTLA timerlat histogram
 *	# Time unit is microseconds (us)
 *	# Duration:   0 00:10:00
 *	Index   IRQ-000   Thr-000   IRQ-001   Thr-001
 *	0        276489         0    206089         0
 *	1        318327     35487    388149     30024
 *	over:         0         0         0         1
 *	count:   594816     35487    594238     30025
 *	min:          0         1         0         1
 *	avg:          0         1         0         1
 *	max:          1         1         1       302
 *
 * A column is an operation.  Row i holds [i, i + width); the width (-b) is the
 * smallest distance of rows, as rows without a call are left out.  What `over` counts
 * lies behind the last row that there could be, which nothing says: an open bucket
 * from behind the last row printed.  `count` is with it or, in older versions, without.
 * Averages are whole numbers, so totals are not taken from them.
 *
 * Seen: Linux 5.17 to 6.9, in posts.
 */
#include <math.h>
#include <stdlib.h>

#include "base/scan.h"
#include "base/xalloc.h"
#include "formats/format.h"
#include "formats/text.h"

struct row {
	uint64_t index;
	size_t cells; /* where its counts begin */
	struct str where;
};

struct column {
	struct str name;
	uint64_t over, count;
	double min, max; /* NAN: not printed */
	bool has_count;
};

struct reader {
	struct input *in;
	struct builder *to;
	struct diag *diag;
	bool last; /* the line at hand ends the file, without a newline */
	enum unit unit;
	struct column *column;
	size_t n_columns, cap_columns;
	struct row *row;
	size_t n_rows, cap_rows;
	uint64_t *cell;
	size_t n_cells, cap_cells;
	struct str over_at;
	bool summary; /* "ALL:" and what follows repeats it */
};

static bool fail(struct reader *r, enum diag_code code, struct str where, const char *what)
{
	return format_fail(r->in, r->diag, r->last ? DIAG_INPUT_TRUNCATED : code, where, "%s",
			   what);
}

static bool is_banner(struct str s)
{
	return str_has_prefix(s, STR("# RTLA ")) && str_contains(s, STR(" histogram"));
}

static enum probe probe_rtla(struct str head, struct clue *clue)
{
	struct str line, rest = text_without_bom(head);

	(void)clue;
	while (text_next(&rest, &line)) {
		if (is_banner(text_content(line)))
			return PROBE_MAGIC;
	}
	return PROBE_NO;
}

static bool read_comment(struct reader *r, struct str s)
{
	struct str duration = STR("# Duration:");

	if (str_contains(s, STR("(us)")))
		r->unit = UNIT_US;
	if (str_contains(s, STR("(ns)")))
		r->unit = UNIT_NS;
	if (str_has_prefix(s, duration)) { /* "  0 00:10:00": days, hours, minutes, seconds */
		struct cursor c = cursor_at(r->in, str_skip(s, duration.n));
		uint64_t d, h, m, sec;

		scan_blanks(&c);
		if (scan_u64(&c, &d) && scan_char(&c, ' ') && scan_u64(&c, &h) &&
		    scan_char(&c, ':') && scan_u64(&c, &m) && scan_char(&c, ':') &&
		    scan_u64(&c, &sec))
			build_elapsed(r->to, (((double)d * 24 + (double)h) * 60 + (double)m) * 60 +
						     (double)sec);
	}
	return true;
}

static bool read_head(struct reader *r, struct cursor c, struct str s)
{
	struct str word;

	if (r->n_columns > 0)
		return fail(r, DIAG_LINE_UNEXPECTED, s, "a second histogram in one file");
	while (scan_word(&c, &word)) {
		r->column = xgrow(r->column, &r->cap_columns, r->n_columns + 1, sizeof(*r->column));
		r->column[r->n_columns++] = (struct column){ .name = word, .min = NAN, .max = NAN };
	}
	return r->n_columns > 0 || fail(r, DIAG_COLUMN_MISSING, s, "expected columns behind Index");
}

static bool take_count(struct reader *r, struct cursor *c, struct str line, uint64_t *ret)
{
	struct str word;

	if (!scan_word(c, &word))
		return fail(r, DIAG_LINE_UNEXPECTED, line, "fewer counts than columns");
	switch (number_u64(word, ret)) {
	case NUMBER_OK:
		return true;
	case NUMBER_TOO_LARGE:
		return fail(r, DIAG_COUNT_OVERFLOW, word, "more than 2^64-1");
	case NUMBER_NONE:
		break;
	}
	return fail(r, DIAG_NUMBER_BAD, word, "expected a count");
}

static bool at_end(struct reader *r, struct cursor *c)
{
	scan_blanks(c);
	return cursor_done(c) ||
	       fail(r, DIAG_LINE_UNEXPECTED, cursor_rest(c), "more counts than columns");
}

static bool read_row(struct reader *r, struct str word, struct cursor c, struct str s)
{
	struct row row = { .cells = r->n_cells, .where = s };

	if (number_u64(word, &row.index) != NUMBER_OK)
		return fail(r, DIAG_LINE_UNEXPECTED, s, "expected an index and counts");
	if (row.index >= BUCKET_NO_LIMIT)
		return fail(r, DIAG_NUMBER_RANGE, word, "more rows than rtla has");
	if (r->n_rows > 0 && row.index <= r->row[r->n_rows - 1].index)
		return fail(r, DIAG_BUCKET_ORDER, word, "not above the row before");
	for (size_t i = 0; i < r->n_columns; i++) {
		r->cell = xgrow(r->cell, &r->cap_cells, r->n_cells + 1, sizeof(*r->cell));
		if (!take_count(r, &c, s, &r->cell[r->n_cells++]))
			return false;
	}
	r->row = xgrow(r->row, &r->cap_rows, r->n_rows + 1, sizeof(*r->row));
	r->row[r->n_rows++] = row;
	return at_end(r, &c) &&
	       (!r->last || fail(r, DIAG_INPUT_TRUNCATED, s, "a row without the end of its line"));
}

/* "over:", "count:"; "min:" and "max:" have a dash where nothing was measured. */
static bool read_footer(struct reader *r, struct str key, struct cursor c, struct str s)
{
	bool over = str_eq(key, STR("over:")), count = str_eq(key, STR("count:"));

	if (over)
		r->over_at = s;
	for (size_t i = 0; i < r->n_columns; i++) {
		struct column *column = &r->column[i];
		struct str word;
		double v;

		if (over || count) {
			if (!take_count(r, &c, s, over ? &column->over : &column->count))
				return false;
			column->has_count = column->has_count || count;
			continue;
		}
		if (!scan_word(&c, &word))
			return fail(r, DIAG_LINE_UNEXPECTED, s, "fewer values than columns");
		if (str_eq(word, STR("-")))
			continue;
		if (number_f64(word, &v) != NUMBER_OK)
			return fail(r, DIAG_NUMBER_BAD, word, "expected a number");
		if (str_eq(key, STR("min:")))
			column->min = v;
		if (str_eq(key, STR("max:")))
			column->max = v;
	}
	return at_end(r, &c);
}

static bool is_footer(struct str word)
{
	return str_eq(word, STR("over:")) || str_eq(word, STR("count:")) ||
	       str_eq(word, STR("min:")) || str_eq(word, STR("avg:")) || str_eq(word, STR("max:"));
}

static bool read_line(struct reader *r, struct str s)
{
	struct cursor c = cursor_at(r->in, s);
	struct str word;

	if (s.n == 0 || r->summary || !scan_word(&c, &word))
		return true;
	if (s.p[0] == '#')
		return read_comment(r, s);
	if (str_eq(word, STR("ALL:"))) {
		r->summary = true;
		return true;
	}
	if (str_eq(word, STR("Index")))
		return read_head(r, c, s);
	if (r->n_columns == 0)
		return true; /* what was printed before the histogram */
	if (is_footer(word))
		return read_footer(r, word, c, s);
	if (r->over_at.p != NULL) {
		r->summary = true; /* "rtla timerlat hit stop tracing" and its analysis */
		return true;
	}
	return read_row(r, word, c, s);
}

/* --- pushing ---------------------------------------------------------------------- */

static uint64_t row_width(const struct reader *r)
{
	uint64_t width = r->n_rows > 1 ? UINT64_MAX : 1;

	for (size_t i = 1; i < r->n_rows; i++) {
		uint64_t apart = r->row[i].index - r->row[i - 1].index;

		width = apart < width ? apart : width;
	}
	return width;
}

/* Whether anything lies over the last entry. */
static bool is_open(const struct reader *r)
{
	for (size_t i = 0; i < r->n_columns; i++) {
		if (r->column[i].over > 0)
			return true;
	}
	return false;
}

static bool push_column(struct reader *r, size_t at, uint64_t width)
{
	const struct column *column = &r->column[at];
	uint64_t sum = column->over, inside = 0;
	struct bucket_scheme scheme = bucket_linear(0, (double)width);

	if (is_open(r))
		scheme.limit = r->n_rows > 0 ? (int)(r->row[r->n_rows - 1].index / width) + 1 : 0;
	if (!build_new_operation(r->to, STR(""), column->name, column->name) ||
	    !build_scheme(r->to, &scheme, column->name))
		return false;
	build_unit(r->to, r->unit, UNIT_STATED);
	for (size_t i = 0; i < r->n_rows; i++) {
		uint64_t count = r->cell[r->row[i].cells + at];

		if (count > 0 &&
		    !build_bucket(r->to, (int)(r->row[i].index / width), count, r->row[i].where))
			return false;
		inside += count;
	}
	if (column->over > 0 && !build_bucket(r->to, scheme.limit, column->over, r->over_at))
		return false;
	if (!isnan(column->min) && sum + inside > 0)
		build_min(r->to, column->min);
	if (!isnan(column->max) && sum + inside > 0)
		build_max(r->to, column->max);
	if (column->has_count && column->count == inside) /* without what lies over */
		return build_count(r->to, inside + sum, column->name);
	return !column->has_count || build_count(r->to, column->count, column->name);
}

static bool read_rtla(struct input *in, const struct read_options *options, struct builder *to,
		      struct diag *diag)
{
	struct reader r = { .in = in, .to = to, .diag = diag };
	struct cursor c = cursor_at(in, text_without_bom(in->bytes)), line;
	uint64_t width;
	bool fine = true;

	(void)options;
	while (fine && scan_line(&c, &line)) {
		r.last = line.end == in->bytes.n;
		fine = read_line(&r, text_content(cursor_rest(&line)));
	}
	width = row_width(&r);
	for (size_t i = 0; fine && i < r.n_columns; i++)
		fine = push_column(&r, i, width);
	free(r.column);
	free(r.row);
	free(r.cell);
	return fine;
}

const struct format format_rtla = {
	.name = "rtla",
	.title = "rtla timerlat hist, rtla osnoise hist",
	.versions = "Linux 5.17 to 6.9",
	.unit = "stated",
	.totals = "from the buckets",
	.probe = probe_rtla,
	.read = read_rtla,
};
