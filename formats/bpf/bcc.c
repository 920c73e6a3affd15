/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bcc: histograms that the Python tools of bcc and the libbpf-tools print
 * (biolatency, runqlat, cpudist, funclatency, ext4dist, argdist, dbstat ...).
 *
 *	Tracing block device I/O... Hit Ctrl-C to end.
 *
 *	disk = 'vda'
 *	     usecs               : count     distribution
 *	        64 -> 127        : 12       |****************************************|
 *
 * A row includes both bounds.  A table may be linear ("7 : 12 |***|", one
 * value a row).  Before a table there may be "key = value" (the value is the operation), the
 * probe of argdist, a time of day; after it "avg = .. total: .. count: ..", which
 * is exact.  Tools clear their maps between snapshots; argdist -c does not.
 *
 * Seen: the source of bcc at 6d0a964, its tools' example files back to the narrow
 * tables of 2015, libbpf-tools 0.26 and 0.37.  Values past 2^32 make a table wider.
 *
 * The top slot of a libbpf-tools table (four blanks between "count" and
 * "distribution") collects everything above it and is read as open if the
 * banner or the keys show the tool; otherwise a table that ends in a top slot
 * stays closed.  Where several tables have headings of other kinds, as those of biostacks
 * and futexctn, the first line of the heading is the operation.  Not read: -j of biolatency, tools
 * that print no histogram (syscount, softirqs without -d, *slower ...).
 */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "formats/bcc_line.h"
#include "formats/bpf/bcc_heading.h"
#include "formats/lines.h"
#include "formats/text.h"

enum {
	LEVELS = 4,	   /* of nested keys */
	CPUFREQ_STEP = 200 /* MHz a row, libbpf-tools/cpufreq.h */
};

/* --- detection --------------------------------------------------------------- */

/* Returns whether a run in which nothing happened prints such a line: a banner, times, empty
 * sections. */
static bool is_quiet(struct str s, bool *banner)
{
	struct str key, value;
	double seconds;
	bool bracket;

	if (bcc_banner(s) && str_contains(s, STR("Hit Ctrl-C to e")))
		return *banner = true;
	return bcc_stamp(s, &seconds, &bracket) || bcc_section(s, &key, &value) || bcc_farewell(s);
}

static enum probe probe_bcc(struct str head, struct clue *clue)
{
	struct str line, text, rest = head;
	bool header = false, banner = false, quiet = true;
	size_t blanks;

	while (text_line(&rest, &line)) {
		if (line.n == 0)
			continue;
		if (bcc_header(line, &text, &blanks)) {
			header = true;
		} else if (bcc_row(line, header)) {
			if (header)
				return PROBE_MAGIC;
			if (clue->why == NULL)
				probe_near(clue, head, line,
					   "a row without a line `: count "
					   "distribution` before it");
		} else if (header) {
			return PROBE_MARKS;
		}
		quiet = quiet && is_quiet(line, &banner);
	}
	if (header)
		return PROBE_MARKS;
	return quiet && banner ? PROBE_SHAPE : PROBE_NO;
}

/* --- reading ----------------------------------------------------------------- */

struct level {
	struct str key, name;
};

/* The current table, or the last one. */
struct table {
	enum unit unit;
	bool libbpf, linear;
	double step;	 /* of a linear table */
	double min, max; /* bounds of the total */
};

struct reader {
	struct lines lines;
	enum unit unit; /* of the first table, used for empty sections */
	enum unit_source source;
	double top; /* lower edge of the tool's open top slot; 0: unknown */
	struct level level[LEVELS];
	size_t n_levels;
	bool levels_used;    /* a table used them */
	struct str subject;  /* from the banner */
	struct str hint;     /* the previous line, if nothing else names the table */
	bool headings;	     /* tables are named by headings */
	struct str heading;  /* of the table to come; empty: none so far */
	double threshold_ms; /* dbstat */
	bool cpufreq, argdist, in_table, spaced, any;
	size_t n_tables; /* since the last footer */
	size_t n_unknown;
	struct table table;
};

static bool is_probe(struct str s)
{
	return s.n > 2 && s.p[1] == ':' && memchr("prtu", s.p[0], 4) != NULL;
}

/* Returns the operation of a table without a key. */
static struct str bare_name(const struct reader *r, struct str text, enum unit unit)
{
	if (r->cpufreq)
		return text;
	if (r->hint.n > 0 && (r->argdist || is_probe(r->hint)))
		return r->hint;
	if (r->headings && r->heading.n > 0)
		return bcc_heading_name(r->heading);
	if (r->subject.n > 0)
		return r->subject;
	return unit_is_time(unit) || text.n == 0 ? STR("latency") : text;
}

static struct str level_name(struct reader *r)
{
	struct str name = r->level[0].name;

	arena_clear(r->lines.arena);
	for (size_t i = 1; i < r->n_levels; i++)
		name = arena_join(r->lines.arena, name, ',', r->level[i].name);
	return name;
}

/* Ends a section without a table: a map without entries. */
static bool end_section(struct reader *r)
{
	struct str name, where;

	if (r->n_levels == 0 || r->levels_used)
		return true;
	name = level_name(r);
	where = r->level[0].key;
	r->n_levels = 0;
	r->any = true;
	if (!build_operation(r->lines.to, STR(""), name, where) ||
	    !build_histogram(r->lines.to, where))
		return false;
	build_unit(r->lines.to, r->unit, r->source);
	return true;
}

static bool read_header(struct reader *r, struct str s, struct str text, bool libbpf)
{
	enum unit_source source = UNIT_STATED;
	enum unit unit = r->cpufreq ? UNIT_PLAIN : bcc_unit(text, &source);
	struct str name, heading;

	if (r->levels_used)
		r->n_levels = 0;
	name = r->n_levels > 0 ? level_name(r) : bare_name(r, text, unit);
	r->levels_used = true;
	r->table = (struct table){ .unit = unit, .libbpf = libbpf, .step = 1 };
	if (r->cpufreq)
		r->table.step = CPUFREQ_STEP;
	r->in_table = r->any = true;
	r->n_tables++;
	if (!build_operation(r->lines.to, STR(""), name, s) || !build_histogram(r->lines.to, s))
		return false;
	build_unit(r->lines.to, unit, source);
	if (r->threshold_ms > 0)
		build_threshold(r->lines.to,
				unit == UNIT_US ? r->threshold_ms * 1e3 : r->threshold_ms);
	heading = r->heading;
	r->heading.n = 0;
	return bcc_heading_push(&r->lines, heading, unit);
}

/* Takes digits; a number above 2^64-1 is an error. */
static bool take_u64(struct reader *r, struct cursor *c, struct str row, enum diag_code too_large,
		     uint64_t *ret)
{
	struct str digits;

	scan_blanks(c);
	if (scan_u64(c, ret))
		return true;
	if (!str_begins_with_digit(cursor_rest(c)))
		return lines_fail(&r->lines, DIAG_NUMBER_BAD, cursor_done(c) ? row : cursor_rest(c),
				  "expected a number");
	digits = (struct str){ cursor_rest(c).p, 0 };
	while (str_begins_with_digit(cursor_rest(c))) {
		digits.n++;
		c->at++;
	}
	return format_fail(r->lines.in, r->lines.diag, too_large, digits, "more than 2^64-1");
}

static bool take_literal(struct reader *r, struct cursor *c, struct str row, struct str wanted)
{
	scan_blanks(c);
	if (scan_literal(c, wanted))
		return true;
	return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, cursor_done(c) ? row : cursor_rest(c),
			  "expected `%.*s`", STR_ARG(wanted));
}

/* ": 12 |*** |" */
static bool take_count(struct reader *r, struct cursor *c, struct str row, uint64_t *ret)
{
	struct str bar;
	size_t at;

	if (!take_literal(r, c, row, STR(":")) || !take_u64(r, c, row, DIAG_COUNT_OVERFLOW, ret) ||
	    !take_literal(r, c, row, STR("|")))
		return false;
	bar = cursor_rest(c);
	at = run_length('*', bar.p, bar.n);
	while (at < bar.n && memchr("* +", bar.p[at], 3) != NULL)
		at += bar.p[at] == ' ' ? run_length(' ', bar.p + at, bar.n - at) : 1;
	if (at == bar.n)
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, row, "the bar is not closed");
	return (bar.p[at] == '|' && at + 1 == bar.n) ||
	       lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, str_skip(bar, at),
			  "expected a bar of stars up to the end of the line");
}

static bool bcc_push(struct reader *r, double low, double high, uint64_t count, struct str row)
{
	r->table.min += low * (double)count;
	r->table.max += high * (double)count;
	if (isinf(high) && count > 0)
		diag_part(r->lines.diag, DIAG_TOP_OPEN, r->lines.in, row,
			  "the tool's last slot holds everything from %.0f on", low);
	return build_range(r->lines.to, low, high, count, row);
}

static bool read_linear_row(struct reader *r, struct cursor *c, bool negative, uint64_t value,
			    struct str row)
{
	double low = negative ? -(double)value : (double)value;
	uint64_t count;

	if (low + r->table.step <= low)
		return lines_fail(&r->lines, DIAG_NUMBER_RANGE, row,
				  "too large for a linear table");
	return take_count(r, c, row, &count) && bcc_push(r, low, low + r->table.step, count, row);
}

static bool bcc_read_row(struct reader *r, struct str row)
{
	struct cursor c = cursor_at(r->lines.in, row);
	bool negative = scan_char(&c, '-');
	uint64_t low, high, count;
	double above;

	if (!r->in_table)
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, row,
				  "a row, but no line `: count distribution` before it");
	if (!take_u64(r, &c, row, DIAG_NUMBER_RANGE, &low))
		return false;
	scan_blanks(&c);
	if (!str_has_prefix(cursor_rest(&c), STR("-")))
		return read_linear_row(r, &c, negative, low, row);
	if (negative)
		return lines_fail(&r->lines, DIAG_BUCKET_BOUNDS, row, "a negative bound");
	if (!take_literal(r, &c, row, STR("->")) ||
	    !take_u64(r, &c, row, DIAG_NUMBER_RANGE, &high) || !take_count(r, &c, row, &count))
		return false;
	if (low == 0 ? high != 1 : (low & (low - 1)) != 0 || high - low != low - 1)
		return lines_fail(&r->lines, DIAG_BUCKET_BOUNDS, row, "expected 2^n -> 2^(n+1)-1");
	above = (double)high + 1;
	if (r->table.libbpf && r->top > 0 && (double)low == r->top)
		above = HUGE_VAL;
	return bcc_push(r, (double)low, above, count, row);
}

/* --- lines between tables ------------------------------------------------------ */

/* Removes Python's quotes around a key: 'x', b'x' and "x". */
static struct str unquoted_key(struct str s)
{
	struct str bare =
		str_has_prefix(s, STR("b'")) || str_has_prefix(s, STR("b\"")) ? str_skip(s, 1) : s;

	if (bare.n >= 2 && (bare.p[0] == '\'' || bare.p[0] == '"') &&
	    bare.p[bare.n - 1] == bare.p[0])
		return (struct str){ bare.p + 1, bare.n - 2 };
	return s;
}

/* Removes the mean of this snapshot that tcprtt -e puts after the address. */
static struct str without_average(struct str s)
{
	size_t at = str_find(s, STR("[AVG "));

	if (at < s.n && at > 0 && str_has_suffix(s, STR("]")))
		s.n = at;
	return str_trim(s);
}

static bool push_level(struct reader *r, struct str key, struct str name)
{
	size_t i = 0;

	while (i < r->n_levels && !str_eq(r->level[i].key, key))
		i++;
	if (i < r->n_levels) {
		if (!end_section(r))
			return false;
		r->n_levels = i;
	} else if (r->levels_used || i == LEVELS) {
		r->n_levels = 0;
	}
	r->levels_used = false;
	r->level[r->n_levels++] = (struct level){ key, name };
	return true;
}

/* "disk = vda<TAB>flags = Read" and "cpu = 0 hardirq = eth0" contain two keys. */
static bool read_section(struct reader *r, struct str key, struct str value)
{
	struct str head, tail, next_key, next_value;
	char between = str_eq(key, STR("cpu")) ? ' ' : '\t';
	bool two = str_cut(value, between, &head, &tail) &&
		   bcc_section(str_trim(tail), &next_key, &next_value);

	if (r->lines.cut)
		return lines_fail(&r->lines, DIAG_INPUT_TRUNCATED, value.n > 0 ? value : key,
				  "the file ends in the name of a section");
	value = unquoted_key(without_average(two ? head : value));
	if (!push_level(r, key, value))
		return false;
	return !two || read_section(r, next_key, next_value);
}

/* Returns what is traced: "Tracing 3 functions for "vfs_r*"... Hit Ctrl-C to end." */
static struct str subject_of(struct str s)
{
	static const char *const ends[] = { "...", ".  Hit", ". Hit", ". Ctrl-C", " for pids " };
	struct str body = str_skip(s, str_find(s, STR(" ")) + 1);
	struct str quoted = str_skip(body, str_find(body, STR(" for \"")));

	if (quoted.n > 6) {
		size_t close;

		quoted = str_skip(quoted, 6);
		close = str_find_last(quoted, STR("\""));
		if (close < quoted.n)
			return (struct str){ quoted.p, close };
	}
	for (size_t i = 0; i < COUNT_OF(ends); i++)
		body.n = str_find(body, str_from(ends[i]));
	return str_trim(body);
}

static bool read_banner(struct reader *r, struct str s)
{
	struct cursor c = CURSOR_OVER(s);
	uint64_t ms;

	if (!end_section(r))
		return false;
	r->n_levels = r->n_tables = 0;
	r->subject = subject_of(s);
	r->argdist = false;
	r->cpufreq = str_has_prefix(r->subject, STR("CPU freq"));
	if (scan_past(&c, STR(" slower than ")) && scan_u64(&c, &ms))
		r->threshold_ms = (double)ms;
	return true;
}

static bool read_stamp(struct reader *r, double seconds, bool bracket)
{
	if (!end_section(r))
		return false;
	r->n_levels = r->n_tables = 0;
	r->argdist = r->argdist || (bracket && r->subject.n == 0);
	build_next_interval(r->lines.to, seconds);
	return true;
}

/* Converts a whole total to a coarser unit of time, which is exact. */
static struct decimal convert_total(struct decimal v, enum unit from, enum unit to)
{
	for (; from < to; from++)
		v.billionths /= 1000;
	return v;
}

static bool is_possible(const struct table *t, struct decimal total)
{
	double v = decimal_f64(total);

	return v >= t->min && v <= t->max;
}

/* Every version prints the total in its table's unit, but old versions of funclatency always call
 * it nsecs: the printed unit is used only if the table's is impossible. */
static struct decimal total_of(const struct table *t, struct decimal total, struct str word)
{
	enum unit said;
	struct decimal other;

	if (!unit_parse(word, &said) || !unit_is_time(said) || said >= t->unit)
		return total;
	other = convert_total(total, said, t->unit);
	return !is_possible(t, total) && is_possible(t, other) ? other : total;
}

/* "avg = 663 usecs, total: 16575 usecs, count: 25" is for all tables since the previous footer, so
 * it is the total of an operation only if there was one table. */
static bool read_footer(struct reader *r, struct str s)
{
	struct cursor c = cursor_at(r->lines.in, str_skip(s, str_find(s, STR("total: "))));
	struct str word, total_at;
	struct decimal total;
	uint64_t count;
	bool alone = r->n_tables == 1;

	if (!take_literal(r, &c, s, STR("total:")) || !scan_word(&c, &total_at))
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, s,
				  "expected `total: N UNIT, count: N`");
	if (!decimal_parse(total_at, &total))
		return lines_fail(&r->lines, DIAG_NUMBER_BAD, total_at, "expected the total");
	if (!scan_word(&c, &word) || !str_has_suffix(word, STR(",")))
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, s,
				  "expected a unit and a comma");
	word.n--;
	if (!take_literal(r, &c, s, STR("count:")) ||
	    !take_u64(r, &c, s, DIAG_COUNT_OVERFLOW, &count))
		return false;
	if (!cursor_done(&c))
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, cursor_rest(&c),
				  "expected the end");
	r->n_tables = 0;
	return !alone || (build_count(r->lines.to, count, s) &&
			  build_total(r->lines.to, total_of(&r->table, total, word), total_at));
}

/* Returns whether the line is the start of "x : count     distribution". */
static bool is_cut_header(struct str s)
{
	size_t at = str_find(s, STR(" : "));
	struct str word = str_trim(str_skip(s, at < s.n ? at + 3 : s.n)), head, tail;

	if (word.n == 0)
		return false;
	if (str_cut(word, ' ', &head, &tail))
		return str_eq(head, STR("count")) &&
		       str_has_prefix(STR("distribution"), str_trim(tail));
	return str_has_prefix(STR("count"), word);
}

static bool read_other(struct reader *r, struct str s)
{
	if (r->lines.cut && is_cut_header(s))
		return lines_fail(&r->lines, DIAG_INPUT_TRUNCATED, s,
				  "the file ends in the head of a table");
	if (bcc_farewell(s))
		return true;
	r->n_unknown++;
	r->hint = s;
	r->heading = r->heading.n > 0 ? r->heading : s;
	return true;
}

static bool bcc_line(void *reader)
{
	struct reader *r = reader;
	struct str s = r->lines.text, text, key, value;
	bool bracket, in_table = r->in_table && (!r->spaced || str_has_suffix(s, STR("|")));
	double seconds;
	size_t blanks;

	if (s.n == 0) {
		r->spaced = true;
		r->hint = s;
		return true;
	}
	if (bcc_header(s, &text, &blanks)) {
		if (r->lines.cut)
			return lines_fail(&r->lines, DIAG_INPUT_TRUNCATED, s,
					  "a table without a row");
		return read_header(r, s, text, blanks == 4);
	}
	r->hint = (struct str){ s.p, 0 };
	r->spaced = false;
	if (bcc_stamp(s, &seconds, &bracket)) {
		r->in_table = false;
		return read_stamp(r, seconds, bracket);
	}
	if (bcc_row(s, in_table))
		return bcc_read_row(r, s);
	r->in_table = false;
	if (str_has_prefix(s, STR("avg = ")))
		return read_footer(r, s);
	if (bcc_banner(s))
		return read_banner(r, s);
	if (bcc_section(s, &key, &value))
		return read_section(r, key, value);
	return read_other(r, s);
}

/* --- the whole file ------------------------------------------------------------ */

/* Finds the unit of the first table, for sections without one. */
static void bcc_start(void *reader)
{
	struct reader *r = reader;
	struct str s, text, rest = cursor_rest(&r->lines.rest);
	size_t blanks;

	r->top = bcc_top_slot(r->lines.rest);
	r->headings = bcc_headings_differ(rest);
	while (text_line(&rest, &s)) {
		if (bcc_header(s, &text, &blanks)) {
			r->unit = bcc_unit(text, &r->source);
			return;
		}
	}
}

/* At the end there may have been no table: a run in which nothing happened. */
static bool bcc_end(void *reader)
{
	struct reader *r = reader;

	if (!end_section(r))
		return false;
	if (!r->argdist)
		build_snapshots(r->lines.to, SNAPSHOTS_DELTA);
	return r->any || r->subject.n == 0 || r->n_unknown > 0 ||
	       (build_operation(r->lines.to, STR(""), r->subject, r->subject) &&
		build_histogram(r->lines.to, r->subject));
}

const struct format format_bcc = {
	.name = "bcc",
	.title = "bcc and libbpf-tools: log2 and linear tables",
	.versions = "bcc 2015 to 0.26, libbpf-tools 0.26, 0.37",
	.unit = "stated in the head of the table",
	.totals = "exact, where a line `avg = ... total: ...` stands after it",
	.probe = probe_bcc,
	.read = lines_read,
	.spec = &(const struct line_format){ .size = sizeof(struct reader),
					     .start = bcc_start,
					     .line = bcc_line,
					     .end = bcc_end },
};
