/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rocksdb: histograms and statistics of RocksDB and LevelDB, from a terminal (db_bench --histogram,
 * --statistics) and from RocksDB's LOG.
 *
 *	readrandom   :       3.524 micros/op 559419 ops/sec
 *	Microseconds per read:
 *	Count: 31400 Average: 3.5241  StdDev: 32.20
 *	Min: 0  Median: 2.5447  Max: 16067
 *	Percentiles: P50: 2.54 P75: 3.46 P99: 9.45 P99.9: 57.09 P99.99: 155.71
 *	------------------------------------------------------
 *	[       0,       1 ]    13180  41.975%  41.975% ########
 *	(       1,       2 ]    18220  58.025% 100.000% ############
 *
 *	** File Read Latency Histogram By Level [default] **
 *	** Level 0 read latency histogram (micros):
 *
 *	rocksdb.db.get.micros P50 : 2.5 P95 : 6.2 P99 : 9.6 P100 : 16066.0 COUNT : 76 SUM : 3249
 *
 * The layer of an operation is its benchmark, the column family of a level, or `statistics`, which
 * has only summary statistics.  Latencies are integers, so that (1, 2] contains only 2 and is [2,
 * 3) here.  Empty rows are not printed, but all edges are known: in LevelDB and old RocksDB they
 * are 10, 12, 14, 16, 18, 20, 25 ... 100 and so on; in newer versions each is 1.5 times the one
 * before, truncated to two digits.
 *
 * Dumps in a LOG are cumulative snapshots.
 *
 * Seen: RocksDB 7.8, LevelDB 1.23.  Left out with a note: statistics of bytes and numbers,
 * histograms whose title has no unit of time.
 */
#include <math.h>

#include "base/arena.h"
#include "formats/lines.h"
#include "formats/statistics.h"
#include "formats/text.h"

enum { MAX_EDGES = 256, MAX_ROWS = 256, DATE = sizeof("2026/11/22-") - 1 };

/* --- recognising ------------------------------------------------------------------ */

/* Recognizes "Count: 31400 Average: 3.5241  StdDev: 32.20", the line below a title. */
static bool rocksdb_is_head(struct str s)
{
	return str_has_prefix(s, STR("Count: ")) && str_contains(s, STR(" Average: ")) &&
	       str_contains(s, STR(" StdDev: "));
}

/* Finds the operation and the unit in "Microseconds per read:", "** Level 0 read latency histogram
 * (micros):".  UNIT_UNKNOWN: no unit is stated. */
static enum unit parse_title(struct str s, struct str *ret_name)
{
	static const struct {
		const char *word;
		enum unit unit;
	} units[] = { { " (micros):", UNIT_US },
		      { " (us):", UNIT_US },
		      { " (nanos):", UNIT_NS },
		      { " (ns):", UNIT_NS } };
	static const struct str per = STR_INIT("Microseconds per ");

	if (str_has_prefix(s, per) && str_has_suffix(s, STR(":"))) {
		*ret_name = str_skip((struct str){ s.p, s.n - 1 }, per.n);
		return UNIT_US;
	}
	for (size_t i = 0; i < COUNT_OF(units); i++) {
		struct str word = str_from(units[i].word);

		if (!str_has_suffix(s, word))
			continue;
		s.n -= word.n;
		if (str_has_prefix(s, STR("** ")))
			s = str_skip(s, 3);
		if (str_has_suffix(s, STR(" histogram")))
			s.n -= sizeof(" histogram") - 1;
		if (str_has_suffix(s, STR(" latency")))
			s.n -= sizeof(" latency") - 1;
		*ret_name = s;
		return units[i].unit;
	}
	return UNIT_UNKNOWN;
}

static bool is_statistic(struct str s)
{
	return str_has_prefix(s, STR("rocksdb.")) && str_contains(s, STR(" COUNT : ")) &&
	       str_contains(s, STR(" SUM : "));
}

/* Recognizes "2026/11/22-00:16:18.155555 8785 RocksDB version: 7.8.3", the first line of a LOG,
 * whose first dump may come much later. */
static bool is_log(struct str s)
{
	double stamp;

	return str_contains(s, STR(" RocksDB version: ")) &&
	       text_clock(str_skip(s, DATE), &stamp) > 0;
}

static enum probe probe_rocksdb(struct str head, struct clue *clue)
{
	struct str line, rest = head, title = { head.p, 0 }, name;

	while (text_line(&rest, &line)) {
		if (rocksdb_is_head(line)) {
			if (parse_title(title, &name) != UNIT_UNKNOWN)
				return PROBE_MAGIC;
			probe_near(clue, head, line, "no title with a unit of time above this");
		}
		if (is_statistic(line) || is_log(line))
			return PROBE_MAGIC;
		title = line;
	}
	return PROBE_NO;
}

/* --- edges ------------------------------------------------------------------------ */

static const double FARTHEST = 1e13; /* four months in us */

/* Ascending integers. */
struct edges {
	double at[MAX_EDGES];
	size_t n;
};

/* Computes LevelDB's edges: all integers up to 10, then fixed steps for each power of ten. */
static void leveldb_edges(struct edges *e)
{
	static const double steps[] = {
		1, 1.2, 1.4, 1.6, 1.8, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9
	};

	e->n = 0;
	for (int i = 0; i < 10; i++)
		e->at[e->n++] = i;
	for (double power = 10; power < FARTHEST; power *= 10) {
		for (size_t i = 0; i < COUNT_OF(steps); i++)
			e->at[e->n++] = power * steps[i];
	}
}

/* Computes RocksDB's edges: each is 1.5 times the one before, truncated to two digits.  `beyond` is
 * added to those above zero, for versions whose rows include their upper edge. */
static void rocksdb_edges(struct edges *e, double beyond)
{
	e->n = 0;
	e->at[e->n++] = 0;
	e->at[e->n++] = 1 + beyond;
	for (double v = 2; v < FARTHEST; v *= 1.5) {
		double digits = floor(v), power = 1;

		for (; floor(digits / 10) > 10; power *= 10)
			digits = floor(digits / 10);
		e->at[e->n++] = digits * power + beyond;
	}
}

/* Returns the index of the bucket [low, high); -1 if it is not one. */
static int find_bucket(const struct edges *e, double low, double high)
{
	struct bucket_scheme s = bucket_edges(e->at, e->n);
	int i = bucket_find(&s, low);

	return i + 1 < (int)e->n && e->at[i] == low && e->at[i + 1] == high ? i : -1;
}

/* --- histograms ------------------------------------------------------------------- */

struct row {
	double low, high;
	uint64_t count;
	struct str where;
};

struct reader {
	struct lines lines;
	struct edges edges[3]; /* possible edges of a histogram, the most likely first */
	struct str title;      /* line before the current one */
	struct str benchmark;  /* empty: none yet */
	struct str family;     /* column family */
	struct row row[MAX_ROWS];
	size_t n_rows;
};

/* Takes a label such as "Count:" or "Average:", and the word after it. */
static bool take_field(struct reader *r, struct cursor *c, struct str label, struct str *ret)
{
	struct str word;

	return (scan_word(c, &word) && str_eq(word, label) && scan_word(c, ret)) ||
	       lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, r->lines.text, "expected %.*s NUMBER",
			  STR_ARG(label));
}

static bool take_edge(struct reader *r, struct cursor *c, double *ret)
{
	scan_blanks(c);
	return (scan_f64(c, ret) && *ret >= 0 && *ret < HUGE_VAL) ||
	       lines_fail(&r->lines, DIAG_NUMBER_BAD, r->lines.text, "expected an edge");
}

static bool is_row(struct str s)
{
	return s.n > 0 && (s.p[0] == '[' || s.p[0] == '(') && str_contains(s, STR(","));
}

/* Reads "(       1,       2 ]    18220  58.025% 100.000% ############". */
static bool rocksdb_read_row(struct reader *r)
{
	struct str s = r->lines.text;
	struct cursor c = cursor_at(r->lines.in, s);
	struct row *row = &r->row[r->n_rows];
	bool open = !scan_char(&c, '[') && scan_char(&c, '('), closed;
	double percent;

	if (r->n_rows == MAX_ROWS)
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, s,
				  "more rows than a histogram has");
	if (!take_edge(r, &c, &row->low))
		return false;
	if (!scan_char(&c, ','))
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, s, "expected LOW, HIGH");
	if (!take_edge(r, &c, &row->high))
		return false;
	scan_blanks(&c);
	closed = scan_char(&c, ']');
	if (!closed && !scan_char(&c, ')'))
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, s, "expected a bracket");
	if (!lines_counted(&r->lines, lines_next_count(&r->lines, &c, &row->count), s,
			   "a count is missing"))
		return false;
	for (int i = 0; i < 2; i++) {
		scan_blanks(&c);
		if (!scan_f64(&c, &percent) || !scan_char(&c, '%'))
			return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, s,
					  "expected two percentages");
	}
	row->low += open;
	row->high += closed;
	row->where = s;
	r->n_rows++;
	return true;
}

/* Returns the edges that fit all rows; NULL if no known ones do. */
static const struct edges *find_edges(const struct reader *r)
{
	for (size_t i = 0; i < COUNT_OF(r->edges); i++) {
		const struct edges *e = &r->edges[i];
		size_t k = 0;

		while (k < r->n_rows && find_bucket(e, r->row[k].low, r->row[k].high) >= 0)
			k++;
		if (k == r->n_rows)
			return e;
	}
	return NULL;
}

static bool rocksdb_push_rows(struct reader *r, struct str where)
{
	const struct edges *e = find_edges(r);
	struct bucket_scheme s;

	if (e == NULL) {
		if (!build_histogram(r->lines.to, where))
			return false;
		for (const struct row *row = r->row; row < r->row + r->n_rows; row++) {
			if (!build_range(r->lines.to, row->low, row->high, row->count, row->where))
				return false;
		}
		return true;
	}
	s = bucket_edges(e->at, e->n);
	if (!build_scheme(r->lines.to, &s, where))
		return false;
	for (const struct row *row = r->row; row < r->row + r->n_rows; row++) {
		if (!build_bucket(r->lines.to, find_bucket(e, row->low, row->high), row->count,
				  row->where))
			return false;
	}
	return true;
}

struct summary {
	struct str count_at, mean_at;
	uint64_t count;
	struct decimal total;
	double min, max;
};

/* Reads "Count: 31400 Average: 3.5241  StdDev: 32.20", "Min: 0  Median: 2.5447  Max: 16067". */
static bool read_summary(struct reader *r, struct summary *m)
{
	struct cursor c = cursor_at(r->lines.in, r->lines.text);
	struct str word;

	if (!take_field(r, &c, STR("Count:"), &m->count_at) ||
	    !lines_count(&r->lines, m->count_at, &m->count, "expected a count") ||
	    !take_field(r, &c, STR("Average:"), &m->mean_at))
		return false;
	if (!decimal_parse(m->mean_at, &m->total) || !decimal_times(m->total, m->count, &m->total))
		return lines_fail(&r->lines, DIAG_NUMBER_BAD, m->mean_at, "expected a mean");
	if (!lines_next(&r->lines))
		return format_fail(r->lines.in, r->lines.diag, DIAG_INPUT_TRUNCATED, m->count_at,
				   "a histogram without its rows");
	c = cursor_at(r->lines.in, r->lines.text);
	if (!take_field(r, &c, STR("Min:"), &word))
		return false;
	if (number_f64(word, &m->min) != NUMBER_OK)
		return lines_fail(&r->lines, DIAG_NUMBER_BAD, word, "expected a minimum");
	if (!take_field(r, &c, STR("Median:"), &word) || !take_field(r, &c, STR("Max:"), &word))
		return false;
	return number_f64(word, &m->max) == NUMBER_OK ||
	       lines_fail(&r->lines, DIAG_NUMBER_BAD, word, "expected a maximum");
}

/* Reads the rows, which percentiles and a rule may precede, up to the first other line. */
static bool rocksdb_read_rows(struct reader *r, const struct summary *m)
{
	uint64_t sum = 0;

	r->n_rows = 0;
	while (lines_next(&r->lines)) {
		struct str s = r->lines.text;

		if (is_row(s)) {
			if (!rocksdb_read_row(r))
				return false;
			sum += r->row[r->n_rows - 1].count;
		} else if (r->n_rows > 0 || !(str_has_prefix(s, STR("Percentiles: ")) ||
					      str_has_prefix(s, STR("-----")))) {
			lines_again(&r->lines);
			return true;
		}
	}
	return sum >= m->count ||
	       format_fail(r->lines.in, r->lines.diag, DIAG_INPUT_TRUNCATED, m->count_at,
			   "rows have %llu of them", (unsigned long long)sum);
}

/* Returns the layer.  Levels are cumulative, so the name of the benchmark that ended is added. */
static struct str layer_of(const struct reader *r)
{
	if (!str_has_prefix(r->title, STR("** ")))
		return r->benchmark;
	if (r->benchmark.n == 0)
		return r->family;
	return arena_printf(r->lines.arena, "%.*s after %.*s", STR_ARG(r->family),
			    STR_ARG(r->benchmark));
}

static bool rocksdb_read_histogram(struct reader *r)
{
	struct str name, title = r->title;
	enum unit unit = parse_title(title, &name);
	struct summary m;

	if (!read_summary(r, &m) || !rocksdb_read_rows(r, &m))
		return false;
	if (unit == UNIT_UNKNOWN) {
		r->lines.left_out++;
		return true;
	}
	if (m.count == 0)
		return true;
	arena_clear(r->lines.arena);
	if (!build_operation(r->lines.to, layer_of(r), name, title))
		return false;
	build_unit(r->lines.to, unit, UNIT_STATED);
	build_granularity(r->lines.to, 1);
	build_rounded_totals(r->lines.to);
	if (!rocksdb_push_rows(r, title))
		return false;
	build_min(r->lines.to, m.min);
	build_max(r->lines.to, m.max);
	return build_count(r->lines.to, m.count, m.count_at) &&
	       build_total(r->lines.to, m.total, m.mean_at);
}

/* --- statistics ------------------------------------------------------------------- */

/* Returns the word after a label in the current line; empty if there is none. */
static struct str word_after(struct reader *r, struct str label)
{
	struct str s = r->lines.text, word;
	struct cursor c = cursor_at(r->lines.in, s);

	return scan_past(&c, label) && scan_word(&c, &word) ? word : str_skip(s, s.n);
}

/* Reads "rocksdb.db.get.micros P50 : 2.5 ... P100 : 16066.0 COUNT : 76 SUM : 3249". */
static bool read_statistic(struct reader *r)
{
	struct cursor c = cursor_at(r->lines.in, r->lines.text);
	struct statistics of = { .layer = STR("statistics"),
				 .count_at = word_after(r, STR(" COUNT : ")),
				 .total_at = word_after(r, STR(" SUM : ")) };
	uint64_t sum;

	if (!scan_word(&c, &of.name) ||
	    !lines_count(&r->lines, of.count_at, &of.count, "expected a count") ||
	    !lines_count(&r->lines, of.total_at, &sum, "expected a sum"))
		return false;
	if (of.count == 0)
		return true;
	if (str_has_suffix(of.name, STR("micros")))
		of.unit = UNIT_US;
	else if (str_has_suffix(of.name, STR("nanos")))
		of.unit = UNIT_NS;
	if (of.unit == UNIT_UNKNOWN) {
		r->lines.left_out++;
		return true;
	}
	of.total = decimal_from_u64(sum);
	of.has_max = number_decimal(word_after(r, STR("100 : ")), &of.max) == NUMBER_OK;
	return statistics_push(&of, r->lines.to);
}

/* --- lines ------------------------------------------------------------------------ */

/* Recognizes "readrandom   :       3.524 micros/op 559419 ops/sec", perhaps after a progress
 * display on the same line. */
static bool is_benchmark(struct str s, struct str *ret_name)
{
	size_t progress = str_find_last(s, STR("\r"));
	struct str name, rest;

	if (progress < s.n)
		s = str_skip(s, progress + 1);
	if (!str_cut(s, ':', &name, &rest) || !str_contains(rest, STR(" micros/op")))
		return false;
	*ret_name = str_trim(name);
	return true;
}

/* Recognizes "** File Read Latency Histogram By Level [default] **". */
static bool is_family(struct str s, struct str *ret_name)
{
	struct str head, tail;

	return str_has_prefix(s, STR("** File Read Latency Histogram By Level [")) &&
	       str_cut(s, '[', &head, &tail) && str_cut(tail, ']', ret_name, &tail);
}

/* Recognizes "2026/11/22-00:16:19.163834 8815 [db_impl.cc:1105] ------- DUMPING STATS -------". */
static bool is_dump(struct str s, double *ret_stamp)
{
	if (!str_contains(s, STR("------- DUMPING STATS -------")))
		return false;
	if (text_clock(str_skip(s, DATE), ret_stamp) == 0)
		*ret_stamp = NAN;
	return true;
}

static bool rocksdb_read_line(struct reader *r)
{
	struct str s = r->lines.text;
	double stamp;

	if (rocksdb_is_head(s))
		return rocksdb_read_histogram(r);
	if (is_statistic(s))
		return read_statistic(r);
	if (is_dump(s, &stamp)) {
		build_snapshots(r->lines.to, SNAPSHOTS_CUMULATIVE);
		build_next_interval(r->lines.to, stamp);
	} else if (is_benchmark(s, &r->benchmark)) {
		build_snapshots(r->lines.to, SNAPSHOTS_DELTA);
	} else {
		(void)is_family(s, &r->family);
	}
	return true;
}

static bool rocksdb_all(void *reader)
{
	struct reader *r = reader;

	while (lines_next(&r->lines)) {
		if (!rocksdb_read_line(r))
			return false;
		r->title = r->lines.text;
	}
	return true;
}

static void rocksdb_start(void *reader)
{
	struct reader *r = reader;

	r->title = r->lines.text;
	r->benchmark = r->family = STR("");
	rocksdb_edges(&r->edges[0], 1);
	leveldb_edges(&r->edges[1]);
	rocksdb_edges(&r->edges[2], 0);
}

const struct format format_rocksdb = {
	.name = "rocksdb",
	.title = "RocksDB and LevelDB: db_bench --histogram, statistics, LOG",
	.versions = "RocksDB 7.8, LevelDB 1.23",
	.unit = "stated",
	.totals = "exact in statistics; of histograms mean times calls",
	.probe = probe_rocksdb,
	.read = lines_read,
	.spec =
		&(const struct line_format){
			.size = sizeof(struct reader),
			.start = rocksdb_start,
			.end = rocksdb_all,
			.drop_single_layer = true,
			.left_out = "histograms and statistics that tell no unit of time" },
};
