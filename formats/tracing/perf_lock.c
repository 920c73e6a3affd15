/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * perf-lock: number and duration of waits for locks, from perf lock contention.
 *
 *	 contended   total wait     max wait     avg wait         type   caller
 *
 *	       256      4.69 ms    185.17 us     18.30 us     spinlock   folio_lruvec_lock+0x5f
 *				0xffffffff82203efe  _raw_spin_lock_irqsave+0x4d
 *
 * An operation is a caller, without the offset, which differs between builds; its layer is
 * the kind of lock.  With -t it is a task's name, with -l a lock, or its address if it has
 * no name, with --lock-cgroup a cgroup.  Rows with the same name are added up.  Columns
 * are those that -F chose; call stacks of -v are ignored.  With -x there are separators,
 * and times are in whole ns:
 *
 *	# output: contended, total wait, max wait, avg wait, type, caller
 *	256, 4688768, 185170, 18300, spinlock, folio_lruvec_lock+0x5f
 *
 * There is no distribution: for that, read the events from perf script.
 *
 * Seen: 6.1, 7.2.  Not supported: tables without the number of waits or their total,
 * perf lock report, which cuts names.
 */
#include "formats/lines.h"
#include "formats/measure.h"
#include "formats/statistics.h"
#include "formats/text.h"

enum column {
	COLUMN_COUNT,
	COLUMN_TOTAL,
	COLUMN_MIN,
	COLUMN_MAX,
	COLUMN_MEAN,
	COLUMN_KIND,
	COLUMN_KEY,  /* a number instead of a name */
	COLUMN_NAME, /* may be empty; the last column if there is no separator */
	COLUMN_LOCK, /* a name, then without a separator the kind in brackets */
	COLUMN_STACK,
};

enum { COLUMNS = 8 };

struct layout {
	enum column column[COLUMNS];
	size_t n;
	bool has[COLUMN_STACK + 1];
	struct str separator; /* ", ", of -x; empty: blanks, and times have units */
};

static bool has_name(const struct layout *l)
{
	return l->has[COLUMN_NAME] || l->has[COLUMN_LOCK];
}

static bool scan_title(struct cursor *c, struct layout *l)
{
	static const struct {
		struct str title;
		enum column column;
	} titles[] = {
		{ STR_INIT("contended"), COLUMN_COUNT }, { STR_INIT("total wait"), COLUMN_TOTAL },
		{ STR_INIT("max wait"), COLUMN_MAX },	 { STR_INIT("min wait"), COLUMN_MIN },
		{ STR_INIT("avg wait"), COLUMN_MEAN },	 { STR_INIT("type"), COLUMN_KIND },
		{ STR_INIT("pid"), COLUMN_KEY },	 { STR_INIT("address"), COLUMN_KEY },
		{ STR_INIT("caller"), COLUMN_NAME },	 { STR_INIT("comm"), COLUMN_NAME },
		{ STR_INIT("owner"), COLUMN_NAME },	 { STR_INIT("cgroup"), COLUMN_NAME },
		{ STR_INIT("symbol"), COLUMN_LOCK },	 { STR_INIT("stacktrace"), COLUMN_STACK },
	};
	size_t i = 0;

	while (i < COUNT_OF(titles) && !scan_literal(c, titles[i].title))
		i++;
	if (i == COUNT_OF(titles) || l->n == COLUMNS)
		return false;
	l->has[titles[i].column] = true;
	l->column[l->n++] = titles[i].column;
	return true;
}

/* Returns the text between the first two titles: "contended, total wait". */
static struct str find_separator(struct cursor c)
{
	struct layout ignored = { .n = 0 };
	struct str s;

	if (!scan_title(&c, &ignored))
		return STR("");
	s = cursor_rest(&c);
	s.n = str_find(s, STR(" "));
	s.n += s.n > 0;
	return s;
}

static bool perf_lock_is_head(struct str s, struct layout *ret)
{
	struct cursor c = CURSOR_OVER(s);
	struct layout l = { .n = 0 };

	if (scan_literal(&c, STR("# output: "))) {
		l.separator = find_separator(c);
		if (l.separator.n < 2)
			return false;
	}
	while (!cursor_done(&c)) {
		if (l.separator.n == 0)
			scan_blanks(&c);
		else if (l.n > 0 && !scan_literal(&c, l.separator))
			return false;
		if ((l.separator.n == 0 && has_name(&l)) || !scan_title(&c, &l))
			return false;
	}
	*ret = l;
	return l.n > 2 && has_name(&l);
}

static bool is_any_head(struct str line)
{
	struct layout ignored;

	return perf_lock_is_head(line, &ignored);
}

/* --- rows ------------------------------------------------------------------------- */

/* The layer is the kind of lock. */
struct row {
	struct statistics of;
	struct str key;
};

struct reader {
	struct lines lines;
	struct layout layout;
};

/* Takes a field up to the next separator, or to the end. */
static struct str take_field(struct cursor *c, struct str separator)
{
	struct str rest = cursor_rest(c);
	size_t n = str_find(rest, separator);

	c->at += n + (n < rest.n ? separator.n : 0);
	return str_trim((struct str){ rest.p, n });
}

static bool scan_field(struct cursor *c, struct str separator, struct str *ret)
{
	if (separator.n == 0)
		return scan_word(c, ret);
	*ret = take_field(c, separator);
	return true;
}

static bool scan_time(struct cursor *c, struct str separator, struct decimal *ret_ns,
		      struct str *ret_where)
{
	if (separator.n == 0)
		return measure_scan(c, ret_ns, ret_where);
	*ret_where = take_field(c, separator);
	return decimal_parse(*ret_where, ret_ns) && ret_ns->billionths >= 0;
}

/* "&anon_vma (rwsem)", "(spinlock)", "&anon_vma" */
static void split_lock(struct str s, struct row *row)
{
	size_t at = str_find_last(s, STR("("));

	row->of.name = str_trim((struct str){ s.p, at });
	if (at < s.n && str_has_suffix(s, STR(")")))
		row->of.layer = (struct str){ s.p + at + 1, s.n - at - 2 };
}

static bool scan_cell(struct cursor *c, enum column what, struct str separator, struct row *row)
{
	struct decimal mean;
	struct str where;

	switch (what) {
	case COLUMN_COUNT:
		return scan_field(c, separator, &row->of.count_at);
	case COLUMN_TOTAL:
		return scan_time(c, separator, &row->of.total, &row->of.total_at);
	case COLUMN_MIN:
		return scan_time(c, separator, &row->of.min, &where);
	case COLUMN_MAX:
		return scan_time(c, separator, &row->of.max, &where);
	case COLUMN_MEAN:
		return scan_time(c, separator, &mean, &where);
	case COLUMN_KIND:
		return scan_field(c, separator, &row->of.layer);
	case COLUMN_KEY:
		return scan_field(c, separator, &row->key);
	case COLUMN_NAME:
		row->of.name =
			separator.n > 0 ? take_field(c, separator) : str_trim(cursor_rest(c));
		break;
	case COLUMN_LOCK:
		if (separator.n > 0)
			row->of.name = take_field(c, separator);
		else
			split_lock(str_trim(cursor_rest(c)), row);
		break;
	case COLUMN_STACK:
		break;
	}
	return true;
}

static bool perf_lock_read_row(struct reader *r)
{
	struct cursor c = cursor_at(r->lines.in, r->lines.text);
	const struct layout *l = &r->layout;
	struct row row = { .of = { .unit = UNIT_NS,
				   .has_min = l->has[COLUMN_MIN],
				   .has_max = l->has[COLUMN_MAX],
				   .rounded = l->separator.n == 0 } };

	for (size_t i = 0; i < l->n; i++) {
		if (!scan_cell(&c, l->column[i], l->separator, &row))
			return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, r->lines.text,
					  "fields do not go with the head");
	}
	if (r->lines.cut)
		return lines_fail(&r->lines, DIAG_INPUT_TRUNCATED, row.of.name,
				  "expected a newline after the name");
	row.of.name.n = str_find(row.of.name, STR("+0x"));
	if (row.of.name.n == 0)
		row.of.name = row.key;
	if (row.of.name.n == 0)
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, r->lines.text,
				  "a row without a name");
	return lines_count(&r->lines, row.of.count_at, &row.of.count,
			   "expected a number of waits") &&
	       statistics_push(&row.of, r->lines.to);
}

/* Reads up to a line that is neither blank, nor a row, nor a frame of a stack. */
static bool perf_lock_read_rows(struct reader *r)
{
	while (lines_next(&r->lines)) {
		struct str s = r->lines.text;

		if (s.n == 0 || str_has_prefix(s, STR("0x")))
			continue;
		if (!str_begins_with_digit(s)) {
			lines_again(&r->lines);
			return true;
		}
		if (!perf_lock_read_row(r))
			return false;
	}
	return true;
}

static bool perf_lock_line(void *reader)
{
	struct reader *r = reader;

	if (!perf_lock_is_head(r->lines.text, &r->layout))
		return true;
	if (!r->layout.has[COLUMN_COUNT] || !r->layout.has[COLUMN_TOTAL])
		return format_fail(r->lines.in, r->lines.diag, DIAG_COLUMN_MISSING, r->lines.text,
				   "needs `contended` and `total wait`: -F "
				   "contended,wait_total,wait_max");
	return perf_lock_read_rows(r);
}

const struct format format_perf_lock = {
	.name = "perf-lock",
	.title = "perf lock contention: waits and totals only",
	.versions = "6.1, 7.2",
	.unit = "stated after each number; ns with -x",
	.totals = "exact with -x, else as printed, to three digits or more",
	.line_marks =
		LINE_MARKS({ .is = is_any_head, .score = PROBE_MAGIC },
			   { .has = MARKS("Name ", " contended "),
			     .why = "perf lock report cuts names; perf lock contention does not" }),
	.read = lines_read,
	.spec = &(const struct line_format){ .size = sizeof(struct reader),
					     .line = perf_lock_line,
					     .drop_single_layer = true },
};
