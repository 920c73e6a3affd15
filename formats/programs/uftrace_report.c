/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * uftrace-report: calls and total times of functions from uftrace report.
 *
 *	  Total time   Self time       Calls  Function
 *	  ==========  ==========  ==========  ====================
 *	    3.466 ms    5.192 us          30  work
 *	    3.414 us    3.414 us          30  leaf
 *
 * The columns are those that -f chose, given by the head.  Each time has its own unit and three
 * decimals, which limits the precision of totals.  Total time includes nested calls, self time
 * does not.  No distribution.
 *
 * Seen: 0.13, 0.19.  Not supported: tables without calls (--avg-total, --avg-self) or
 * without total times, the report of tasks (--task), differences (--diff).
 */
#include "formats/format.h"
#include "formats/programs/uftrace_time.h"
#include "formats/text.h"

enum column {
	COLUMN_OTHER, /* another time */
	COLUMN_WORD,  /* not a time */
	COLUMN_TOTAL,
	COLUMN_SELF,
	COLUMN_MIN,
	COLUMN_MAX,
	COLUMN_CALLS,
	COLUMN_NAME
};

enum { COLUMNS = 16 };

struct layout {
	enum column column[COLUMNS];
	size_t n;
	bool has[COLUMN_NAME + 1];
};

static const struct {
	const char *title;
	enum column column;
} titles[] = {
	{ "Total time", COLUMN_TOTAL }, { "Total avg", COLUMN_OTHER }, { "Total min", COLUMN_MIN },
	{ "Total max", COLUMN_MAX },	{ "Self time", COLUMN_SELF },  { "Self avg", COLUMN_OTHER },
	{ "Self min", COLUMN_OTHER },	{ "Self max", COLUMN_OTHER },  { "Calls", COLUMN_CALLS },
	{ "Nr. called", COLUMN_CALLS }, { "Function", COLUMN_NAME },   { "Size", COLUMN_WORD },
	{ "Total stdv", COLUMN_WORD },	{ "Self stdv", COLUMN_WORD },
};

static bool uftrace_report_is_head(struct str s, struct layout *ret)
{
	struct input in = { .bytes = s };
	struct cursor c = cursor_on(&in);
	struct layout l = { .n = 0 };

	while (!cursor_done(&c) && l.n < COLUMNS) {
		size_t i = 0;

		scan_blanks(&c);
		while (i < COUNT_OF(titles) && !scan_literal(&c, str_from(titles[i].title)))
			i++;
		if (i == COUNT_OF(titles))
			return false;
		l.has[titles[i].column] = true;
		l.column[l.n++] = titles[i].column;
	}
	*ret = l;
	return l.n > 1 && l.column[l.n - 1] == COLUMN_NAME;
}

static bool is_rule(struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] != '=' && s.p[i] != ' ')
			return false;
	}
	return s.n > 2;
}

static enum probe probe_uftrace_report(struct str head, struct clue *clue)
{
	struct str line, rest = head;
	struct layout layout;
	bool titled = false;

	while (text_next(&rest, &line)) {
		line = text_content(line);
		if (titled)
			return is_rule(line) ? PROBE_MARKS : PROBE_NO;
		if (line.n == 0)
			continue;
		titled = uftrace_report_is_head(line, &layout);
		if (!titled) {
			if (str_has_prefix(line, STR("Total time ")))
				probe_near(clue, head, line, "not a report of functions");
			return PROBE_NO;
		}
		probe_near(clue, head, line, "no rule under the head");
	}
	return titled ? PROBE_SHAPE : PROBE_NO;
}

/* --- rows ------------------------------------------------------------------------- */

struct reader {
	struct input *in;
	struct builder *to;
	struct diag *diag;
	struct layout layout;
	size_t column_end[COLUMNS]; /* positions in the line where the n_ends columns end */
	size_t n_ends;
	bool last;
};

struct row {
	uint64_t total, self, min, max, calls;
	bool has[COLUMN_NAME + 1];
	struct str name, calls_at;
};

/* Finds the columns from the runs of "=". */
static void find_columns(struct reader *r, struct str rule, size_t rule_from)
{
	size_t at = 0;

	r->n_ends = 0;
	while (at < rule.n && r->n_ends < COLUMNS) {
		at += run_length(' ', rule.p + at, rule.n - at);
		at += run_length('=', rule.p + at, rule.n - at);
		r->column_end[r->n_ends++] = rule_from + at;
	}
}

/* Whether a cell is blank, which means zero. */
static bool is_blank_cell(const struct reader *r, const struct cursor *c, size_t line_from,
			  size_t column)
{
	return column < r->n_ends && c->at - line_from >= r->column_end[column];
}

static bool read_cell(struct reader *r, struct cursor *c, size_t i, struct row *row)
{
	enum column what = r->layout.column[i];
	struct str word;
	uint64_t ns;

	if (what == COLUMN_CALLS) {
		if (!scan_word(c, &word) || number_u64(word, &row->calls) != NUMBER_OK)
			return false;
		row->calls_at = word;
		return true;
	}
	if (what == COLUMN_WORD)
		return scan_word(c, &word);
	if (!scan_uftrace_time(c, &ns))
		return false;
	row->has[what] = true;
	if (what == COLUMN_TOTAL)
		row->total = ns;
	else if (what == COLUMN_SELF)
		row->self = ns;
	else if (what == COLUMN_MIN)
		row->min = ns;
	else if (what == COLUMN_MAX)
		row->max = ns;
	return true;
}

static bool uftrace_report_split_row(struct reader *r, struct cursor line, struct row *ret)
{
	struct cursor c = line;
	struct row row = { 0 };

	for (size_t i = 0; i + 1 < r->layout.n; i++) {
		scan_blanks(&c);
		if (is_blank_cell(r, &c, line.at, i))
			row.has[r->layout.column[i]] = true; /* zero */
		else if (!read_cell(r, &c, i, &row))
			return false;
	}
	row.name = str_trim(cursor_rest(&c));
	*ret = row;
	return row.name.n > 0;
}

static bool push_row(struct reader *r, const struct row *row)
{
	struct decimal total = decimal_from_u64(row->total);

	if (!build_new_operation(r->to, STR(""), row->name, row->name))
		return false;
	build_unit(r->to, UNIT_NS, UNIT_STATED);
	if (row->has[COLUMN_MIN])
		build_min(r->to, (double)row->min);
	if (row->has[COLUMN_MAX])
		build_max(r->to, (double)row->max);
	if (row->has[COLUMN_SELF] && row->self <= row->total &&
	    !build_self(r->to, decimal_from_u64(row->self), row->name))
		return false;
	return build_count(r->to, row->calls, row->calls_at) &&
	       build_total(r->to, total, row->name);
}

static bool uftrace_report_read_rows(struct reader *r, struct cursor *rest)
{
	struct cursor line;

	while (scan_line(rest, &line)) {
		struct str s = str_trim(cursor_rest(&line));
		struct row row;

		r->last = line.end == r->in->bytes.n;
		if (s.n == 0)
			continue;
		if (!uftrace_report_split_row(r, line, &row))
			return format_fail(r->in, r->diag,
					   r->last ? DIAG_INPUT_TRUNCATED : DIAG_LINE_UNEXPECTED, s,
					   "fields do not go with the head");
		if (!push_row(r, &row))
			return false;
	}
	return true;
}

static bool read_uftrace_report(const struct read_task *task)
{
	struct reader r = { .in = task->in, .to = task->to, .diag = task->diag };
	struct cursor rest = cursor_on(task->in), line;
	struct str s = { task->in->bytes.p, 0 }, rule;

	while (scan_line(&rest, &line) &&
	       !uftrace_report_is_head(s = text_content(cursor_rest(&line)), &r.layout))
		;
	if (!r.layout.has[COLUMN_CALLS] || !r.layout.has[COLUMN_TOTAL])
		return format_fail(task->in, task->diag, DIAG_COLUMN_MISSING, s,
				   "a report needs `Total time` and `Calls`: -f total,call");
	if (!scan_line(&rest, &line) || !is_rule(str_trim(cursor_rest(&line))))
		return format_fail(task->in, task->diag, DIAG_INPUT_TRUNCATED, s,
				   "no rule under the head");
	rule = str_trim(cursor_rest(&line));
	find_columns(&r, rule, (size_t)(rule.p - cursor_rest(&line).p));
	return uftrace_report_read_rows(&r, &rest);
}

const struct format format_uftrace_report = {
	.name = "uftrace-report",
	.title = "uftrace report: calls and totals only",
	.versions = "0.13, 0.19",
	.unit = "stated",
	.totals = "as printed, to a thousandth of their unit",
	.probe = probe_uftrace_report,
	.read = read_uftrace_report,
};
