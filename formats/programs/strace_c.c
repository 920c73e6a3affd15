/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * strace-c: summaries of strace -c and ltrace -c.
 *
 *	% time     seconds  usecs/call     calls    errors syscall
 *	------ ----------- ----------- --------- --------- ----------------
 *	 28.51    0.009586          21       443         1 statx
 *	  0.58    0.000195          17        11           write
 *	------ ----------- ----------- --------- --------- ----------------
 *	100.00    0.009781          20       454         1 total
 *
 * Calls and seconds of each system call, and the shortest and longest call if these columns are
 * present (-U), in any order; no distribution.  An empty field means no errors.  Tables of other
 * modes ("System call usage summary for 'x32' mode:") are layers.
 *
 * The seconds of strace are CPU time in the kernel, so that no call counts as idle, or with
 * strace -w wall-clock time; the table does not state which, and the former is its default.  Those
 * of ltrace are wall-clock time.
 *
 * Seen: strace 6.1, 7.2, ltrace 0.7.3, 0.7.91.  Not supported: tables without calls.
 */
#include "formats/table/summary_table.h"
#include "formats/text.h"

enum {
	COLUMNS = 16,
};

struct layout {
	enum summary_column column[COLUMNS + 1];
	size_t n, errors, calls; /* errors, calls: index of the column; n: missing */
	bool has[SUMMARY_WORD + 1];
	bool syscalls; /* the table is strace's */
};

/* --- heads --------------------------------------------------------------------- */

static enum summary_column column_of(struct str word)
{
	static const struct {
		const char *word;
		enum summary_column column;
	} known[] = {
		{ "seconds", SUMMARY_TOTAL }, { "shortest", SUMMARY_MIN },
		{ "longest", SUMMARY_MAX },   { "calls", SUMMARY_COUNT },
		{ "syscall", SUMMARY_NAME },  { "function", SUMMARY_NAME },
	};

	for (size_t i = 0; i < COUNT_OF(known); i++) {
		if (str_eq(word, str_from(known[i].word)))
			return known[i].column;
	}
	return SUMMARY_WORD;
}

/* "% time" is one column in two words. */
static bool is_header(struct str s, struct layout *ret)
{
	struct input in = { .bytes = s };
	struct cursor c = cursor_on(&in);
	struct layout l = { .errors = COLUMNS };
	struct str word;

	while (scan_word(&c, &word)) {
		enum summary_column what = column_of(word);
		bool errors = str_eq(word, STR("errors"));

		if (str_eq(word, STR("%")) && !scan_word(&c, &word))
			return false;
		if (l.n == COLUMNS || (what != SUMMARY_WORD && l.has[what]) ||
		    (errors && l.errors < COLUMNS))
			return false;
		l.syscalls |= str_eq(word, STR("syscall"));
		if (errors)
			l.errors = l.n;
		if (what == SUMMARY_COUNT)
			l.calls = l.n;
		l.has[what] = true;
		l.column[l.n++] = what;
	}
	*ret = l;
	return l.has[SUMMARY_NAME] && l.has[SUMMARY_COUNT] && l.n > 2;
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
			probe_near(clue, head, line, "no line of dashes under the head");
		header = is_header(line, &layout);
	}
	return header ? PROBE_SHAPE : PROBE_NO;
}

/* --- rows ----------------------------------------------------------------------- */

struct reader {
	struct lines lines;
	struct layout layout;
	struct str layer;
	uint64_t calls; /* sum over the table so far */
};

static const struct summary_table table = {
	.unit = UNIT_NS,
	.factor = 1000000000, /* seconds */
	.unique = true,
	.expected_count = "expected a number of calls",
	.expected_time = "expected seconds",
};

/* Splits a line into words; returns their number, but stores no more than there can be columns. */
static size_t split_words(const struct reader *r, struct str s, struct str *word)
{
	struct cursor c = cursor_at(r->lines.in, s);
	size_t n = 0;

	while (n <= COLUMNS && scan_word(&c, &word[n]))
		n++;
	return n;
}

/* Reads a row; only the field of errors may be empty. */
static bool strace_c_read_row(struct reader *r)
{
	const struct layout *l = &r->layout;
	enum summary_column column[COLUMNS + 1];
	struct str word[COLUMNS + 1], s = r->lines.text;
	struct summary_table t = table;
	size_t n = split_words(r, s, word), k = 0;
	struct statistics row;

	if (n != l->n && !(l->errors < l->n && n + 1 == l->n))
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, s,
				  "fields do not go with the head");
	for (size_t i = 0; i <= l->n; i++) {
		if (n == l->n || i != l->errors)
			column[k++] = l->column[i];
	}
	t.column = column;
	if (!summary_split(&t, &r->lines, s, &row))
		return false;
	r->calls += row.count;
	return summary_push(&t, &r->lines, r->layer, &row);
}

/* Checks the last line of a table.  Old versions leave fields empty in it, so only a complete line
 * shows which number is the calls and which the errors. */
static bool check_total(struct reader *r)
{
	struct str word[COLUMNS + 1], s = r->lines.text;
	size_t n = split_words(r, s, word), i = 0;
	uint64_t calls;

	while (i < n && !str_eq(word[i], STR("total")))
		i++;
	if (i == n)
		return lines_fail(&r->lines, DIAG_INPUT_TRUNCATED, s,
				  "a table without its line of totals");
	if (n == r->layout.n && number_u64(word[r->layout.calls], &calls) == NUMBER_OK &&
	    calls != r->calls)
		diag_part(r->lines.diag, DIAG_COUNT_MISMATCH, r->lines.in, s,
			  "the rows have %llu calls", (unsigned long long)r->calls);
	return true;
}

/* Reads from the line of dashes below a head to the line of totals. */
static bool strace_c_read_table(struct reader *r)
{
	struct str s = { r->lines.in->bytes.p + r->lines.rest.at, 0 };
	size_t rules = 0;

	r->calls = 0;
	while (lines_next(&r->lines)) {
		s = r->lines.text;
		if (rules == 2)
			return check_total(r);
		if (is_rule(s))
			rules++;
		else if (rules == 0)
			return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, s,
					  "expected a line of dashes");
		else if (!strace_c_read_row(r))
			return false;
	}
	return format_fail(r->lines.in, r->lines.diag, DIAG_INPUT_TRUNCATED, s,
			   "a table without its line of totals");
}

/* Parses "System call usage summary for 'x32' mode:". */
static void take_mode(struct reader *r, struct str s)
{
	struct str before, after, mode, tail;

	if (str_has_prefix(s, STR("System call usage summary for ")) &&
	    str_cut(s, '\'', &before, &after) && str_cut(after, '\'', &mode, &tail))
		r->layer = mode;
}

static void strace_c_start(void *reader)
{
	struct reader *r = reader;

	r->layer = STR("");
}

static bool strace_c_line(void *reader)
{
	struct reader *r = reader;

	take_mode(r, r->lines.text);
	if (!is_header(r->lines.text, &r->layout))
		return true;
	if (r->layout.syscalls)
		build_cpu_time(r->lines.to);
	return strace_c_read_table(r);
}

const struct format format_strace_c = {
	.name = "strace-c",
	.title = "strace -c, ltrace -c: calls and totals only",
	.versions = "strace 6.1, 7.2, ltrace 0.7.3, 0.7.91",
	.unit = "stated",
	.totals = "exact",
	.probe = probe_strace_c,
	.read = lines_read,
	.spec = &(const struct line_format){ .size = sizeof(struct reader),
					     .start = strace_c_start,
					     .line = strace_c_line },
};
