/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * oslat: interruptions of the busy loops of oslat (rt-tests), one column per core.
 *
 *	Test completed.
 *
 *	        Core:	 0 1
 *	    001 (us):	 95567876 95812879
 *	    002 (us):	 11 24
 *	    ...
 *	    032 (us):	 33 45 (including overflows)
 *	     Maximum:	 20065 32177 (us)
 *
 * A row has the gaps from the label of the previous row up to its own: 002 has those from 1 to 2
 * us.  The maximum is rounded up in the same way.  The last row is open.  Rows without gaps may be
 * left out ("...").  With -W rows are narrower and labels have fractions.  The operation is the
 * core.  The first row is the undisturbed loop itself.
 *
 * Seen: rt-tests 2.4, 2.10.
 */
#include <math.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "formats/lines.h"
#include "formats/measure.h"
#include "formats/table/count_table.h"
#include "formats/text.h"
#include "profile/infer.h"

/* Splits "    002 (us):	 11 24" into the label before the colon and the counts after it. */
static bool split_label(struct str line, struct str *ret_label, struct str *ret_rest)
{
	if (!str_cut(line, ':', ret_label, ret_rest))
		return false;
	*ret_label = str_trim(*ret_label);
	return true;
}

/* Parses "002 (us)". */
static bool is_row_label(struct str label, double *ret)
{
	struct str number, unit;

	return str_cut(label, ' ', &number, &unit) && str_eq(unit, STR("(us)")) &&
	       number_f64(number, ret) == NUMBER_OK && *ret > 0 && *ret < 1e9;
}

static enum probe probe_oslat(struct str head, struct clue *clue)
{
	struct str line, lines = head, label, rest;
	bool core = false, version = false;
	double edge;

	(void)clue;
	while (text_line(&lines, &line)) {
		version |= str_has_prefix(line, STR("oslat V"));
		if (!split_label(line, &label, &rest))
			continue;
		core |= str_eq(label, STR("Core"));
		if (core && is_row_label(label, &edge))
			return PROBE_MAGIC;
	}
	return version ? PROBE_MAGIC : core ? PROBE_SHAPE : PROBE_NO;
}

struct gap_row {
	double low, high;
	bool after_gap; /* rows were left out before it */
	bool open;
	int index; /* its bucket, if rows are numbered */
	struct str where;
};

struct reader {
	struct lines lines;
	struct builder *to;
	struct str *core;
	size_t n_cores, cap_cores;
	struct gap_row *row;
	size_t cap_rows;
	struct count_table counts;
	double *max; /* maximum of each core; NULL: not stated */
	bool gap;
	bool numbered; /* rows are buckets of `scheme` */
	struct bucket_scheme scheme;
};

static bool read_cores(struct reader *r, struct str rest)
{
	struct cursor c = cursor_at(r->lines.in, rest);
	struct str word;

	if (r->n_cores > 0)
		return format_fail(r->lines.in, r->lines.diag, DIAG_LINE_UNEXPECTED, rest,
				   "a second run in one file");
	while (scan_word(&c, &word)) {
		r->core = xgrow(r->core, &r->cap_cores, r->n_cores + 1, sizeof(*r->core));
		r->core[r->n_cores++] = word;
	}
	count_table_start(&r->counts, r->n_cores);
	return r->n_cores > 0 || format_fail(r->lines.in, r->lines.diag, DIAG_LINE_UNEXPECTED, rest,
					     "expected the numbers of cores");
}

static bool oslat_read_row(struct reader *r, double high, struct str rest)
{
	struct cursor c = cursor_at(r->lines.in, rest);
	struct gap_row row = { .high = high, .after_gap = r->gap, .where = rest };
	size_t n = r->counts.n_rows;

	if (!lines_counted(&r->lines, count_table_read(&r->counts, &r->lines, &c),
			   str_skip(rest, rest.n), "expected a count for each core"))
		return false;
	row.open = str_contains(cursor_rest(&c), STR("including overflows"));
	r->row = xgrow(r->row, &r->cap_rows, n + 1, sizeof(*r->row));
	r->row[n] = row;
	r->gap = false;
	return true;
}

static bool read_maxima(struct reader *r, struct str rest)
{
	struct cursor c = cursor_at(r->lines.in, rest);
	struct str word;

	free(r->max);
	r->max = xcalloc(r->n_cores + 1, sizeof(*r->max));
	for (size_t i = 0; i < r->n_cores; i++) {
		if (!scan_word(&c, &word) || number_f64(word, &r->max[i]) != NUMBER_OK)
			return format_fail(r->lines.in, r->lines.diag, DIAG_LINE_UNEXPECTED, rest,
					   "expected a number for each core");
	}
	return true;
}

/* Returns the width of a row: 1 us, unless two adjacent rows show another width. */
static double width_of(const struct reader *r)
{
	for (size_t i = 1; i < r->counts.n_rows; i++) {
		double width = r->row[i].high - r->row[i - 1].high;

		if (!r->row[i].after_gap && width > 0)
			return round(width * 1e6) / 1e6;
	}
	return 1;
}

static void find_lower_edges(struct reader *r)
{
	double width = width_of(r);

	for (size_t i = 0; i < r->counts.n_rows; i++)
		r->row[i].low = round((r->row[i].high - width) * 1e6) / 1e6;
}

static double high_of(const struct gap_row *row)
{
	return row->open ? HUGE_VAL : row->high;
}

/* Numbers the rows if they have equal, integer widths, as they nearly always do.  Otherwise the
 * builder infers a scheme from their edges, for each core separately. */
static void find_scheme(struct reader *r)
{
	struct inference rows;

	inference_start(&rows);
	for (size_t i = 0; i < r->counts.n_rows; i++) {
		const struct gap_row *row = &r->row[i];

		if (row->low != floor(row->low) || !(row->low < high_of(row)) ||
		    (i > 0 && row->low < high_of(row - 1)))
			return;
		inference_row(&rows, row->low, high_of(row));
	}
	if (!inference_scheme(&rows, &r->scheme) || r->scheme.kind != BUCKET_LINEAR)
		return;
	r->numbered = true;
	for (size_t i = 0; i < r->counts.n_rows; i++)
		r->row[i].index = bucket_find(&r->scheme, r->row[i].low);
}

static bool oslat_push_rows(struct reader *r, size_t core)
{
	struct count_walk w = count_table_column(&r->counts, core);

	while (count_walk_next(&w)) {
		const struct gap_row *row = &r->row[w.row];

		if (r->numbered ? !build_bucket(r->to, row->index, w.count, row->where)
				: !build_range(r->to, row->low, high_of(row), w.count, row->where))
			return false;
	}
	return true;
}

static bool push_core(struct reader *r, size_t core)
{
	struct str name = r->core[core];

	if (!build_operation(r->to, STR(""), name, name) ||
	    !(r->numbered ? build_scheme(r->to, &r->scheme, name) : build_histogram(r->to, name)))
		return false;
	build_unit(r->to, UNIT_US, UNIT_STATED);
	if (!oslat_push_rows(r, core))
		return false;
	if (r->max != NULL)
		build_max(r->to, r->max[core]);
	return true;
}

static bool oslat_read_line(struct reader *r, struct str s)
{
	struct str label, rest;
	double high;

	if (str_eq(s, STR("...")))
		r->gap = true;
	if (!split_label(s, &label, &rest))
		return true;
	if (str_eq(label, STR("Core")))
		return read_cores(r, rest);
	if (is_row_label(label, &high))
		return r->n_cores > 0
			       ? oslat_read_row(r, high, rest)
			       : format_fail(r->lines.in, r->lines.diag, DIAG_LINE_UNEXPECTED, s,
					     "no line `Core:' before it");
	if (str_eq(label, STR("Maximum")))
		return read_maxima(r, rest);
	return true;
}

/* Reads "Total runtime: 		2 seconds", the requested time, or "Duration:", for each
 * core.
 */
static void oslat_read_duration(struct reader *r, struct str s)
{
	static const struct str title = STR_INIT("Total runtime:");
	double seconds;

	if (str_has_prefix(s, title) && measure_seconds(str_skip(s, title.n), &seconds))
		build_elapsed(r->to, seconds);
}

static bool oslat_read_lines(struct reader *r)
{
	while (lines_next(&r->lines)) {
		oslat_read_duration(r, r->lines.text);
		if (!oslat_read_line(r, r->lines.text))
			return false;
	}
	find_lower_edges(r);
	find_scheme(r);
	for (size_t i = 0; i < r->n_cores && r->counts.n_rows > 0; i++) {
		if (!push_core(r, i))
			return false;
	}
	return true;
}

static bool read_oslat(const struct read_task *task)
{
	struct reader r = { .to = task->to };
	bool ok;

	build_run_fixed_duration(task->to); /* --duration */
	lines_start(&r.lines, task->in, task->diag);
	ok = oslat_read_lines(&r);
	free(r.core);
	free(r.row);
	count_table_release(&r.counts);
	free(r.max);
	return ok;
}

const struct format format_oslat = {
	.name = "oslat",
	.title = "oslat: gaps in busy loops, by core",
	.versions = "rt-tests 2.4, 2.10",
	.unit = "stated",
	.totals = "from buckets",
	.probe = probe_oslat,
	.read = read_oslat,
};
