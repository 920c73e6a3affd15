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
 * A column is an operation.  Row i holds [i, i + width).  The width (-b) is not stated and
 * empty rows are omitted, so the width is the greatest common divisor of all labels.  With
 * few rows it may be too large, which a note says, but a call never gets into a wrong row.
 * `over` counts calls above the last possible row, which is not stated either: they go to an
 * open bucket above the last printed row.  `count` includes them or, in older versions, does
 * not.  Averages are whole numbers, so totals are not computed from them; the minimum and
 * maximum of osnoise are labels of rows, and not used.
 *
 * Seen: Linux 5.17 to 6.9, in posts.
 */
#include <math.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "formats/lines.h"
#include "formats/table/count_table.h"
#include "formats/text.h"

struct row {
	uint64_t index;
	struct str where;
};

struct column {
	struct str name;
	uint64_t over, count;
	double min, max; /* NAN: not printed */
	bool has_count;
};

struct reader {
	struct lines lines;
	struct builder *to;
	enum unit unit;
	bool osnoise;
	struct column *column;
	size_t n_columns, cap_columns;
	struct row *row;
	size_t cap_rows;
	struct count_table counts;
	struct str over_at;
	bool summary; /* "ALL:" was read: the rest repeats what came before */
};

static bool is_banner(struct str s)
{
	return str_has_prefix(s, STR("# RTLA ")) && str_contains(s, STR(" histogram"));
}

/* "# Duration:   0 00:10:00": days, hours, minutes, seconds */
static void rtla_read_duration(struct reader *r, struct cursor c)
{
	uint64_t d, h, m, sec;

	scan_blanks(&c);
	if (scan_u64(&c, &d) && scan_char(&c, ' ') && scan_u64(&c, &h) && scan_char(&c, ':') &&
	    scan_u64(&c, &m) && scan_char(&c, ':') && scan_u64(&c, &sec))
		build_elapsed(r->to,
			      (((double)d * 24 + (double)h) * 60 + (double)m) * 60 + (double)sec);
}

static bool read_comment(struct reader *r, struct str s)
{
	struct cursor c = cursor_at(r->lines.in, s);

	r->osnoise |= str_has_prefix(s, STR("# RTLA osnoise"));
	if (str_has_prefix(s, STR("# RTLA timerlat"))) /* wakes up at a fixed rate, for a time */
		build_run_fixed_duration(r->to);
	if (str_contains(s, STR("(us)")))
		r->unit = UNIT_US;
	if (str_contains(s, STR("(ns)")))
		r->unit = UNIT_NS;
	if (scan_literal(&c, STR("# Duration:")))
		rtla_read_duration(r, c);
	return true;
}

static bool read_head(struct reader *r, struct cursor c, struct str s)
{
	struct str word;

	if (r->n_columns > 0)
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, s,
				  "a second histogram in one file");
	while (scan_word(&c, &word)) {
		r->column = xgrow(r->column, &r->cap_columns, r->n_columns + 1, sizeof(*r->column));
		r->column[r->n_columns++] = (struct column){ .name = word, .min = NAN, .max = NAN };
	}
	count_table_start(&r->counts, r->n_columns);
	return r->n_columns > 0 ||
	       lines_fail(&r->lines, DIAG_COLUMN_MISSING, s, "expected columns after Index");
}

static bool at_end(struct reader *r, struct cursor *c)
{
	scan_blanks(c);
	return cursor_done(c) || lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, cursor_rest(c),
					    "more counts than columns");
}

static bool rtla_read_row(struct reader *r, struct str word, struct cursor c, struct str s)
{
	struct row row = { .where = s };
	size_t n = r->counts.n_rows;

	if (number_u64(word, &row.index) != NUMBER_OK)
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, s,
				  "expected an index and counts");
	if (row.index >= BUCKET_NO_LIMIT)
		return lines_fail(&r->lines, DIAG_NUMBER_RANGE, word, "more rows than rtla has");
	if (n > 0 && row.index <= r->row[n - 1].index)
		return lines_fail(&r->lines, DIAG_BUCKET_ORDER, word, "not above the row before");
	r->row = xgrow(r->row, &r->cap_rows, n + 1, sizeof(*r->row));
	r->row[n] = row;
	return lines_counted(&r->lines, count_table_read(&r->counts, &r->lines, &c), s,
			     "fewer counts than columns") &&
	       at_end(r, &c) &&
	       (!r->lines.cut || lines_fail(&r->lines, DIAG_INPUT_TRUNCATED, s,
					    "a row without the end of its line"));
}

/* "min:" and "max:" have a dash where nothing was measured. */
static bool take_extreme(struct reader *r, struct str key, struct str word, struct column *column)
{
	double v;

	if (str_eq(word, STR("-")))
		return true;
	if (number_f64(word, &v) != NUMBER_OK)
		return lines_fail(&r->lines, DIAG_NUMBER_BAD, word, "expected a number");
	if (str_eq(key, STR("min:")))
		column->min = v;
	if (str_eq(key, STR("max:")))
		column->max = v;
	return true;
}

static bool read_footer(struct reader *r, struct str key, struct cursor c, struct str s)
{
	bool over = str_eq(key, STR("over:")), count = str_eq(key, STR("count:"));

	if (over)
		r->over_at = s;
	for (size_t i = 0; i < r->n_columns; i++) {
		struct column *column = &r->column[i];
		struct str word;

		if (!scan_word(&c, &word))
			return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, s,
					  "fewer values than columns");
		column->has_count |= count;
		if (over || count
			    ? !lines_count(&r->lines, word, over ? &column->over : &column->count,
					   "expected a count")
			    : !take_extreme(r, key, word, column))
			return false;
	}
	return at_end(r, &c);
}

static bool is_footer(struct str word)
{
	return str_eq(word, STR("over:")) || str_eq(word, STR("count:")) ||
	       str_eq(word, STR("min:")) || str_eq(word, STR("avg:")) || str_eq(word, STR("max:"));
}

static bool rtla_read_line(struct reader *r)
{
	struct str s = r->lines.text, word;
	struct cursor c = cursor_at(r->lines.in, s);

	if (r->summary || !scan_word(&c, &word))
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
		return true; /* output before the histogram */
	if (is_footer(word))
		return read_footer(r, word, c, s);
	if (r->over_at.p != NULL) {
		r->summary = true; /* "rtla timerlat hit stop tracing" and its analysis */
		return true;
	}
	return rtla_read_row(r, word, c, s);
}

/* --- width of the rows ------------------------------------------------------------- */

static uint64_t gcd(uint64_t a, uint64_t b)
{
	return b == 0 ? a : gcd(b, a % b);
}

/* Returns the column's last row with a call; NULL: none. */
static const struct row *last_with_call(const struct reader *r, size_t column)
{
	struct count_walk w = count_table_column(&r->counts, column);
	const struct row *last = NULL;

	while (count_walk_next(&w))
		last = w.count > 0 ? &r->row[w.row] : last;
	return last;
}

/* Returns the least width for which each maximum lies in its column's last row with a call. */
static uint64_t min_width(const struct reader *r)
{
	uint64_t min = 1;

	for (size_t i = 0; i < r->n_columns && !r->osnoise; i++) {
		const struct column *column = &r->column[i];
		const struct row *last = last_with_call(r, i);
		double above;

		if (last == NULL || column->over > 0 || isnan(column->max))
			continue;
		above = floor(column->max) - (double)last->index + 1;
		if (above > (double)min && above < BUCKET_NO_LIMIT)
			min = (uint64_t)above;
	}
	return min;
}

/* Counts rows that follow each other at this distance. */
static size_t count_neighbours(const struct reader *r, uint64_t distance)
{
	size_t n = 0;

	for (size_t i = 1; i < r->counts.n_rows; i++)
		n += r->row[i].index - r->row[i - 1].index == distance;
	return n;
}

static uint64_t row_width(struct reader *r)
{
	enum { SCORE = 3 }; /* so many adjacent rows are not a coincidence */
	uint64_t min = min_width(r), width = 0;
	size_t n_rows = r->counts.n_rows;

	for (size_t i = 0; i < n_rows; i++)
		width = gcd(r->row[i].index, width);
	if (width == 0 || (n_rows == 1 && min == 1))
		width = min; /* one row alone does not show the width */
	else if (width <= min || 2 * min > width || count_neighbours(r, width) >= SCORE)
		return width;
	if (width > 1)
		diag_file(r->lines.diag, DIAG_WIDTH_GUESSED, r->lines.in,
			  "%llu, of few rows; -b of rtla may have been less",
			  (unsigned long long)width);
	return width;
}

/* --- pushing ---------------------------------------------------------------------- */

/* Makes an open bucket after the last row, if any column counts calls in `over`. */
static struct bucket_scheme find_scheme(const struct reader *r, uint64_t width)
{
	struct bucket_scheme scheme = bucket_linear(0, (double)width);
	size_t n_rows = r->counts.n_rows;

	for (size_t i = 0; i < r->n_columns; i++) {
		if (r->column[i].over > 0)
			scheme.limit = n_rows > 0 ? (int)(r->row[n_rows - 1].index / width) + 1 : 0;
	}
	return scheme;
}

static bool rtla_push_rows(struct reader *r, size_t at, uint64_t width, uint64_t *ret_sum)
{
	struct count_walk w = count_table_column(&r->counts, at);
	uint64_t sum = 0;

	while (count_walk_next(&w)) {
		const struct row *row = &r->row[w.row];

		if (w.count > 0 &&
		    !build_bucket(r->to, (int)(row->index / width), w.count, row->where))
			return false;
		sum += w.count;
	}
	*ret_sum = sum;
	return true;
}

static bool push_column(struct reader *r, size_t at, const struct bucket_scheme *scheme)
{
	const struct column *column = &r->column[at];
	uint64_t inside;

	if (!build_new_operation(r->to, STR(""), column->name, column->name) ||
	    !build_scheme(r->to, scheme, column->name) ||
	    !rtla_push_rows(r, at, (uint64_t)scheme->step, &inside))
		return false;
	build_unit(r->to, r->unit, UNIT_STATED);
	if (column->over > 0 && !build_bucket(r->to, scheme->limit, column->over, r->over_at))
		return false;
	if (!r->osnoise && !isnan(column->min) && column->over + inside > 0)
		build_min(r->to, column->min);
	if (!r->osnoise && !isnan(column->max) && column->over + inside > 0)
		build_max(r->to, column->max);
	if (column->has_count && column->count == inside) /* without `over` */
		return build_count(r->to, inside + column->over, column->name);
	return !column->has_count || build_count(r->to, column->count, column->name);
}

static bool read_rtla(const struct read_task *task)
{
	struct reader r = { .to = task->to };
	struct bucket_scheme scheme;
	bool ok = true;

	lines_start(&r.lines, task->in, task->diag);
	while (ok && lines_next(&r.lines))
		ok = rtla_read_line(&r);
	scheme = find_scheme(&r, ok ? row_width(&r) : 1);
	for (size_t i = 0; ok && i < r.n_columns; i++)
		ok = push_column(&r, i, &scheme);
	free(r.column);
	free(r.row);
	count_table_release(&r.counts);
	return ok;
}

const struct format format_rtla = {
	.name = "rtla",
	.title = "rtla timerlat hist, rtla osnoise hist",
	.versions = "Linux 5.17 to 6.9",
	.unit = "stated",
	.totals = "from the buckets",
	.has_line = is_banner,
	.read = read_rtla,
};
