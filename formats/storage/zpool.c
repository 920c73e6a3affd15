/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * zpool: latencies of ZFS, from zpool iostat -w.
 *
 *	tank         total_wait     disk_wait    syncq_wait    asyncq_wait
 *	latency      read  write   read  write   read  write   read  write  scrub   trim
 *	----------  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----
 *	1ns             0      0      0      0      0      0      0      0      0      0
 *	3ns             0      0      0      0     12      0      0      0      0      0
 *	...
 *	137s            0      0      0      0      0      0      0      0      0      0
 *	--------------------------------------------------------------------------------
 *
 * Row i is [2^i, 2^(i+1)) ns; the first includes 0, the last is open.  Labels are upper edges
 * truncated to one unit, so only the row number is used.  A column is an operation; a pool or
 * device (-v) is a layer.
 *
 * Counts are abbreviated, 6.11K meaning 6.11 * 1024, unless -p prints them in full.  If there are
 * several tables of one name, the first covers the time since the pool was imported, and the others
 * are averages per second.  Then the first is left out, which loses an interval with -y.
 *
 * With -H there are no heads: a line with the name is followed by 37 rows whose labels are integers
 * in ns, separated by tabs.  Columns are identified by position; newer versions only append
 * columns.
 *
 * Seen: the source of OpenZFS 0.8 to 2.1.  Not supported: -r, sizes of requests.
 */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "formats/lines.h"
#include "formats/measure.h"
#include "formats/text.h"

enum { COLUMNS = 24, ROWS = 64, BARE_ROWS = 37, MIN_BARE_COLUMNS = 8 };

/* --- heads ---------------------------------------------------------------------------- */

static bool is_bottom(struct str s)
{
	struct cursor c = CURSOR_OVER(s);
	struct str word;

	return scan_word(&c, &word) && str_eq(word, STR("latency")) && scan_word(&c, &word) &&
	       str_eq(word, STR("read")) && scan_word(&c, &word) && str_eq(word, STR("write"));
}

static bool is_rule(struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] != '-' && s.p[i] != ' ')
			return false;
	}
	return s.n > 2;
}

/* Whether s is row number `row` of -H: "1<TAB>0<TAB>0 ...", "3<TAB>0 ...", "7<TAB>0 ...". */
static bool is_bare_row(struct str s, size_t row)
{
	struct str label, counts;
	uint64_t end;

	return row < BARE_ROWS && str_cut(s, '\t', &label, &counts) &&
	       number_u64(label, &end) == NUMBER_OK && end == (UINT64_C(2) << row) - 1 &&
	       memchr(counts.p, '\t', counts.n) != NULL;
}

static enum probe probe_zpool(struct str head, struct clue *clue)
{
	enum { ENOUGH = 3 };
	struct str line, rest = head;
	bool top = false, bottom = false;
	size_t bare = 0;

	while (text_line(&rest, &line)) {
		bare = is_bare_row(line, bare) ? bare + 1 : is_bare_row(line, 0);
		if (bare == ENOUGH)
			return PROBE_MARKS;
		if (bottom && is_rule(line))
			return PROBE_MAGIC;
		if (bottom)
			probe_near(clue, head, line, "no rule under the head of zpool iostat -w");
		bottom = top && is_bottom(line);
		top = str_contains(line, STR(" total_wait ")) &&
		      str_contains(line, STR("disk_wait"));
	}
	return PROBE_NO;
}

/* --- reading ----------------------------------------------------------------------------- */

struct reader {
	struct lines lines;
	bool rounded, several;
	struct str layer, first_layer;
	size_t table; /* number of tables of the first pool or device so far */
	struct str name[COLUMNS];
	size_t n_columns, n_rows;
	uint64_t count[ROWS][COLUMNS];
	struct str where[ROWS];
};

/* Reads the head: a word of the upper line is above a pair of read and write, or above one other
 * word. */
static bool read_head(struct reader *r, struct str top, struct str bottom)
{
	struct cursor upper = cursor_at(r->lines.in, top), lower = cursor_at(r->lines.in, bottom);
	struct str over = STR(""), word;

	r->n_columns = 0;
	arena_clear(r->lines.arena);
	if (!scan_word(&upper, &r->layer) || !scan_word(&lower, &word))
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, top,
				  "expected a pool and its columns");
	while (scan_word(&lower, &word)) {
		if (r->n_columns == COLUMNS)
			return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, word,
					  "too many columns");
		if (str_eq(word, STR("write"))) {
			r->name[r->n_columns++] = arena_join(r->lines.arena, over, ',', word);
			continue;
		}
		if (!scan_word(&upper, &over))
			over = word;
		r->name[r->n_columns++] = str_eq(word, STR("read"))
						  ? arena_join(r->lines.arena, over, ',', word)
						  : over;
	}
	return true;
}

/* Takes "0", "583", "6.11K". */
static bool take_count(struct reader *r, struct str word, uint64_t *ret)
{
	static const char suffixes[] = "KMGTPE";
	struct str digits = word;
	double v;

	for (int i = 0; word.n > 1 && suffixes[i] != '\0'; i++) {
		if (word.p[word.n - 1] != suffixes[i])
			continue;
		digits.n--;
		if (number_f64(digits, &v) != NUMBER_OK || !(v >= 0 && v < 16384))
			break;
		v = round(ldexp(v, 10 * (i + 1)));
		if (v >= 0x1p64)
			return format_fail(r->lines.in, r->lines.diag, DIAG_COUNT_OVERFLOW, word,
					   "more than 2^64-1");
		*ret = (uint64_t)v;
		r->rounded = true;
		return true;
	}
	return lines_count(&r->lines, word, ret, "expected a count, or one with K, M, G ...");
}

/* Whether s is the label of a row: "16ms" for 16777215 ns, truncated to one unit or rounded. */
static bool is_label(struct str s, size_t row)
{
	double end = ldexp(1, (int)row + 1) - 1, v;
	struct str number;
	uint64_t ns;

	if (number_f64(s, &v) == NUMBER_OK) /* -H */
		return v == end;
	return measure_take(&s, &number, &ns) && s.n == 0 && number_f64(number, &v) == NUMBER_OK &&
	       fabs(v - end / (double)ns) <= 1;
}

static bool zpool_read_row(struct reader *r, struct str s)
{
	struct cursor c = cursor_at(r->lines.in, s);
	struct str word;

	if (r->n_rows == ROWS)
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, s, "more than 64 rows");
	if (!scan_word(&c, &word) || !is_label(word, r->n_rows))
		return lines_fail(&r->lines, DIAG_BUCKET_BOUNDS, s, "not the latency that follows");
	r->where[r->n_rows] = s;
	for (size_t i = 0; i < r->n_columns; i++) {
		if (scan_short_u64(&c, &r->count[r->n_rows][i]))
			continue;
		if (!scan_word(&c, &word))
			return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, s,
					  "fewer counts than columns");
		if (!take_count(r, word, &r->count[r->n_rows][i]))
			return false;
	}
	if (scan_word(&c, &word))
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, word,
				  "more counts than columns");
	r->n_rows++;
	return true;
}

static bool push_column(struct reader *r, size_t column)
{
	struct bucket_scheme scheme = bucket_log2(1);

	scheme.first = 1; /* 0 is in the bucket of 1 */
	scheme.limit = (int)r->n_rows - 1;
	if (!build_operation(r->lines.to, r->layer, r->name[column], r->layer) ||
	    !build_scheme(r->lines.to, &scheme, r->layer))
		return false;
	build_unit(r->lines.to, UNIT_NS, UNIT_STATED);
	for (size_t i = 0; i < r->n_rows; i++) {
		if (r->count[i][column] > 0 &&
		    !build_bucket(r->lines.to, (int)i, r->count[i][column], r->where[i]))
			return false;
	}
	return true;
}

/* Pushes a table, unless it is the first of several, which is cumulative. */
static bool end_table(struct reader *r, struct str where)
{
	if (r->n_rows < 2)
		return lines_fail(&r->lines, DIAG_INPUT_TRUNCATED, where, "a table without rows");
	if (r->first_layer.n == 0)
		r->first_layer = r->layer;
	if (str_eq(r->layer, r->first_layer)) {
		r->table++;
		if (r->table > 2)
			build_next_interval(r->lines.to, NAN);
	}
	if (r->several && r->table == 1)
		return true;
	for (size_t i = 0; i < r->n_columns; i++) {
		if (!push_column(r, i))
			return false;
	}
	return true;
}

/* Reads from the rule below the head to the one after the rows. */
static bool zpool_read_table(struct reader *r, struct str head)
{
	bool ruled = false;

	r->n_rows = 0;
	while (lines_next(&r->lines)) {
		struct str s = r->lines.text;

		if (is_rule(s)) {
			if (ruled)
				return end_table(r, s);
			ruled = true;
		} else if (!ruled) {
			return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, s,
					  "expected a line of dashes");
		} else if (!zpool_read_row(r, s)) {
			return false;
		}
	}
	return format_fail(r->lines.in, r->lines.diag, DIAG_INPUT_TRUNCATED, head,
			   "a table without the line of dashes after it");
}

/* Reads a table of -H, from its first row on. */
static bool read_bare_table(struct reader *r, struct str name)
{
	static const char *const names[] = {
		"total_wait,read",
		"total_wait,write",
		"disk_wait,read",
		"disk_wait,write",
		"syncq_wait,read",
		"syncq_wait,write",
		"asyncq_wait,read",
		"asyncq_wait,write",
		"scrub",
		"trim",
		"rebuild",
	};
	struct cursor c = cursor_at(r->lines.in, r->lines.text);
	struct str word;
	size_t n = 0;

	while (scan_word(&c, &word))
		n++;
	if (n < MIN_BARE_COLUMNS + 1 || n > COUNT_OF(names) + 1)
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, r->lines.text,
				  "expected 8 to 11 columns of latencies");
	for (r->n_columns = 0; r->n_columns < n - 1; r->n_columns++)
		r->name[r->n_columns] = str_from(names[r->n_columns]);
	r->layer = name;
	r->n_rows = 0;
	do {
		if (!zpool_read_row(r, r->lines.text))
			return false;
	} while (r->n_rows < BARE_ROWS && lines_next(&r->lines));
	if (r->n_rows < BARE_ROWS)
		return format_fail(r->lines.in, r->lines.diag, DIAG_INPUT_TRUNCATED, name,
				   "a table of less than 37 rows");
	return end_table(r, name);
}

/* Whether the first pool or device has a second table. */
static bool has_several(struct input *in)
{
	struct str rest = in->bytes, s, name, top = STR(""), first = STR("");

	while (text_line(&rest, &s)) {
		struct cursor c = cursor_at(in, top);

		if ((is_bottom(s) || is_bare_row(s, 0)) && top.n > 0 && scan_word(&c, &name)) {
			if (str_eq(name, first))
				return true;
			if (first.n == 0)
				first = name;
		}
		top = s;
	}
	return false;
}

static bool zpool_tables(void *reader)
{
	struct reader *r = reader;
	struct str top = r->lines.text;

	r->several = has_several(r->lines.in);
	while (lines_next(&r->lines)) {
		struct str s = r->lines.text;

		if (is_bottom(s) && (!read_head(r, top, s) || !zpool_read_table(r, s)))
			return false;
		if (top.n > 0 && is_bare_row(s, 0) && !read_bare_table(r, top))
			return false;
		top = s;
	}
	if (r->several)
		diag_file(r->lines.diag, DIAG_NOT_A_HISTOGRAM, r->lines.in,
			  "the first table, of all since the pool was imported; the others hold "
			  "calls a second");
	if (r->rounded)
		diag_file(r->lines.diag, DIAG_COUNTS_ROUNDED, r->lines.in,
			  "-p of zpool prints them whole");
	return true;
}

const struct format format_zpool = {
	.name = "zpool",
	.title = "zpool iostat -w",
	.versions = "OpenZFS 0.8 to 2.1",
	.unit = "stated with each row",
	.totals = "not printed",
	.probe = probe_zpool,
	.read = lines_read,
	.spec = &(const struct line_format){ .size = sizeof(struct reader),
					     .end = zpool_tables,
					     .snapshots = SNAPSHOTS_DELTA,
					     .drop_single_layer = true },
};
