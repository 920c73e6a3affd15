/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * strace-c: the summaries of strace -c and ltrace -c.
 *
 *	% time     seconds  usecs/call     calls    errors syscall
 *	------ ----------- ----------- --------- --------- ----------------
 *	 28.51    0.009586          21       443         1 statx
 *	  0.58    0.000195          17        11           write
 *	------ ----------- ----------- --------- --------- ----------------
 *	100.00    0.009781          20       454         1 total
 *
 * Calls and seconds of each system call, the shortest and the longest where they
 * are among the columns (-U), in any order: no distribution.  An empty field stands
 * for no errors.  Tables of other modes ("System call usage summary for 'x32'
 * mode:") are layers.
 *
 * The seconds are CPU time inside the kernel unless strace was given -w: then they
 * are wall-clock time.  The table does not tell which.
 *
 * Seen: strace 6.1, 7.2, ltrace 0.7.3, 0.7.91.  Not supported: tables without calls.
 */
#include "formats/format.h"
#include "formats/text.h"

enum {
	COLUMNS = 16,
};

enum column {
	COLUMN_OTHER,
	COLUMN_SECONDS,
	COLUMN_MIN,
	COLUMN_MAX,
	COLUMN_CALLS,
	COLUMN_ERRORS,
	COLUMN_NAME,
};

struct layout {
	enum column column[COLUMNS];
	size_t n;
	bool has[COLUMN_NAME + 1];
};

/* --- heads --------------------------------------------------------------------- */

static enum column column_of(struct str word)
{
	static const struct {
		const char *word;
		enum column column;
	} known[] = {
		{ "seconds", COLUMN_SECONDS }, { "shortest", COLUMN_MIN },
		{ "longest", COLUMN_MAX },     { "calls", COLUMN_CALLS },
		{ "errors", COLUMN_ERRORS },   { "syscall", COLUMN_NAME },
		{ "function", COLUMN_NAME },
	};

	for (size_t i = 0; i < COUNT_OF(known); i++) {
		if (str_eq(word, str_from(known[i].word)))
			return known[i].column;
	}
	return COLUMN_OTHER;
}

/* "% time" is one column in two words. */
static bool is_header(struct str s, struct layout *ret)
{
	struct input in = { .bytes = s };
	struct cursor c = cursor_on(&in);
	struct layout l = { .n = 0 };
	struct str word;

	while (scan_word(&c, &word)) {
		enum column what = column_of(word);

		if (str_eq(word, STR("%")) && !scan_word(&c, &word))
			return false;
		if (l.n == COLUMNS || (what != COLUMN_OTHER && l.has[what]))
			return false;
		l.has[what] = true;
		l.column[l.n++] = what;
	}
	*ret = l;
	return l.has[COLUMN_NAME] && l.has[COLUMN_CALLS] && l.n > 2;
}

static bool is_rule(struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] != '-' && s.p[i] != ' ')
			return false;
	}
	return s.n > 2;
}

static enum probe probe_strace_c(struct str head, struct clue *clue)
{
	struct str line, rest = head;
	struct layout layout;
	bool header = false;

	while (text_next(&rest, &line)) {
		line = text_content(line);
		if (header && is_rule(line))
			return PROBE_MARKS;
		if (header)
			*clue = (struct clue){ (size_t)(line.p - head.p),
					       "no line of dashes under the head" };
		header = is_header(line, &layout);
	}
	return header ? PROBE_SHAPE : PROBE_NO;
}

/* --- rows ----------------------------------------------------------------------- */

struct reader {
	struct input *in;
	struct builder *to;
	struct diag *diag;
	struct layout layout;
	struct str layer;
	uint64_t calls; /* of the table so far */
	bool last;	/* the current line ends the file, without a newline */
};

struct row {
	struct str field[COLUMN_NAME + 1];
};

/* Fields go by columns; the one that may be empty is that of errors. */
static bool split_row(const struct reader *r, struct str s, struct row *ret)
{
	const struct layout *l = &r->layout;
	struct cursor c = cursor_at(r->in, s);
	struct str word[COLUMNS + 1];
	size_t n = 0;

	while (n <= COLUMNS && scan_word(&c, &word[n]))
		n++;
	if (n != l->n && !(l->has[COLUMN_ERRORS] && n + 1 == l->n))
		return false;
	for (size_t i = 0, k = 0; i < l->n; i++) {
		if (n != l->n && l->column[i] == COLUMN_ERRORS)
			continue;
		ret->field[l->column[i]] = word[k++];
	}
	return true;
}

static bool fail(struct reader *r, enum diag_code code, struct str where, const char *what)
{
	return format_fail(r->in, r->diag, r->last ? DIAG_INPUT_TRUNCATED : code, where, "%s",
			   what);
}

static bool take_seconds(struct reader *r, struct str s, struct decimal *ret_ns)
{
	struct decimal seconds;

	if (!decimal_parse(s, &seconds) || seconds.billionths < 0 ||
	    !decimal_times(seconds, 1000000000, ret_ns))
		return fail(r, DIAG_NUMBER_BAD, s, "expected seconds");
	return true;
}

static bool push_times(struct reader *r, const struct row *row)
{
	struct decimal ns;

	if (r->layout.has[COLUMN_SECONDS] && (!take_seconds(r, row->field[COLUMN_SECONDS], &ns) ||
					      !build_total(r->to, ns, row->field[COLUMN_SECONDS])))
		return false;
	if (r->layout.has[COLUMN_MIN]) {
		if (!take_seconds(r, row->field[COLUMN_MIN], &ns))
			return false;
		build_min(r->to, decimal_f64(ns));
	}
	if (r->layout.has[COLUMN_MAX]) {
		if (!take_seconds(r, row->field[COLUMN_MAX], &ns))
			return false;
		build_max(r->to, decimal_f64(ns));
	}
	return true;
}

static bool read_row(struct reader *r, struct str s)
{
	struct row row;
	uint64_t calls;

	if (!split_row(r, s, &row))
		return fail(r, DIAG_LINE_UNEXPECTED, s, "fields do not go with the head");
	switch (number_u64(row.field[COLUMN_CALLS], &calls)) {
	case NUMBER_OK:
		break;
	case NUMBER_TOO_LARGE:
		return format_fail(r->in, r->diag, DIAG_COUNT_OVERFLOW, row.field[COLUMN_CALLS],
				   "more than 2^64-1");
	case NUMBER_NONE:
		return fail(r, DIAG_NUMBER_BAD, row.field[COLUMN_CALLS],
			    "expected a number of calls");
	}
	r->calls += calls;
	if (!build_new_operation(r->to, r->layer, row.field[COLUMN_NAME], row.field[COLUMN_NAME]) ||
	    !build_count(r->to, calls, row.field[COLUMN_CALLS]))
		return false;
	build_unit(r->to, UNIT_NS, UNIT_STATED);
	return push_times(r, &row);
}

static bool has_word(const struct reader *r, struct str s, struct str wanted)
{
	struct cursor c = cursor_at(r->in, s);
	struct str word;

	while (scan_word(&c, &word)) {
		if (str_eq(word, wanted))
			return true;
	}
	return false;
}

/* The last line of a table.  Old ones leave fields empty in it: only where none is
 * left out is it clear which number is the calls and which the errors. */
static bool check_total(struct reader *r, struct str s)
{
	struct row row = { 0 };
	bool errors = r->layout.has[COLUMN_ERRORS];
	uint64_t calls;

	if (!has_word(r, s, STR("total")))
		return fail(r, DIAG_INPUT_TRUNCATED, s, "a table without its line of totals");
	if (split_row(r, s, &row) && errors == (row.field[COLUMN_ERRORS].n > 0) &&
	    number_u64(row.field[COLUMN_CALLS], &calls) == NUMBER_OK && calls != r->calls)
		diag_at(r->diag, DIAG_COUNT_MISMATCH, r->in, (size_t)(s.p - r->in->bytes.p), s.n,
			"the rows have %llu calls", (unsigned long long)r->calls);
	return true;
}

/* From the line of dashes under a head to the line of totals. */
static bool read_table(struct reader *r, struct cursor *rest)
{
	struct str s = { r->in->bytes.p + rest->at, 0 };
	struct cursor line;
	size_t rules = 0;

	r->calls = 0;
	while (scan_line(rest, &line)) {
		s = text_content(cursor_rest(&line));
		r->last = line.end == r->in->bytes.n;
		if (rules == 2)
			return check_total(r, s);
		if (is_rule(s))
			rules++;
		else if (rules == 0)
			return fail(r, DIAG_LINE_UNEXPECTED, s, "expected a line of dashes");
		else if (!read_row(r, s))
			return false;
	}
	return format_fail(r->in, r->diag, DIAG_INPUT_TRUNCATED, s,
			   "a table without its line of totals");
}

/* "System call usage summary for 'x32' mode:" */
static void take_mode(struct reader *r, struct str s)
{
	struct str before, after, mode, tail;

	if (str_has_prefix(s, STR("System call usage summary for ")) &&
	    str_cut(s, '\'', &before, &after) && str_cut(after, '\'', &mode, &tail))
		r->layer = mode;
}

static bool read_strace_c(struct input *in, const struct read_options *options, struct builder *to,
			  struct diag *diag)
{
	struct reader r = { .in = in, .to = to, .diag = diag, .layer = STR("") };
	struct cursor rest = cursor_on(in), line;

	(void)options;
	while (scan_line(&rest, &line)) {
		struct str s = text_content(cursor_rest(&line));

		take_mode(&r, s);
		if (is_header(s, &r.layout) && !read_table(&r, &rest))
			return false;
	}
	return true;
}

const struct format format_strace_c = {
	.name = "strace-c",
	.title = "strace -c, ltrace -c: calls and totals only",
	.versions = "strace 6.1, 7.2, ltrace 0.7.3, 0.7.91",
	.unit = "stated",
	.totals = "exact",
	.probe = probe_strace_c,
	.read = read_strace_c,
};
