/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * osprof: our own text format, made to be printed by a kernel module, a DLL or a
 * script in twenty lines, and to hold everything that a profile can.  osprof(5)
 * is its specification.
 *
 *	osprof 1
 *	unit cycles
 *	hz 1700000000
 *	op read
 *	total 40000000
 *	count 27408
 *	7 20210
 *	12 7198
 *
 * One statement a line; '#' begins a comment line.  Without a `buckets` line,
 * bucket b holds 2^b <= latency < 2^(b+1).  If the head says `ends`, the file is
 * complete only if `end N` follows its N operations.
 */
#include "base/arena.h"
#include "base/scan.h"
#include "formats/format.h"
#include "formats/general/osprof_reader.h"
#include "formats/general/osprof_write.h"

static const char *const suffixes[] = { ".osprof", NULL };
static const char magic[] = "osprof";

/* The version of the format that this reader knows. */
enum { KNOWN_MAJOR = 1, KNOWN_MINOR = 0 };

/* The version in the first line, "1" or "1.2". */
struct file_version {
	uint64_t major, minor;
};

static bool parse_version(struct str s, struct file_version *ret)
{
	struct str major, minor;
	struct file_version v = { .minor = 0 };

	if (!str_cut(s, '.', &major, &minor))
		major = s;
	else if (number_u64(minor, &v.minor) != NUMBER_OK)
		return false;
	if (number_u64(major, &v.major) != NUMBER_OK || v.major == 0)
		return false;
	*ret = v;
	return true;
}

static enum probe probe_osprof(struct str head, struct clue *clue)
{
	struct str line, rest = head;
	struct file_version version;

	while (rest.n > 0) {
		if (!str_cut(rest, '\n', &line, &rest)) {
			line = rest;
			rest.n = 0;
		}
		line = str_trim(line);
		if (line.n == 0 || line.p[0] == '#')
			continue;
		if (!str_has_prefix(line, str_from(magic)))
			return PROBE_NO;
		line = str_skip(line, sizeof(magic) - 1);
		if (line.n > 0 && line.p[0] != ' ' && line.p[0] != '\t')
			return PROBE_NO;
		if (parse_version(str_trim(line), &version))
			return PROBE_MAGIC;
		return probe_near(clue, head, line, "no version such as 1");
	}
	return PROBE_NO;
}

/* --- statements ------------------------------------------------------------- */

static bool read_unit(struct osprof_reader *r)
{
	enum unit unit;

	if (!unit_parse(osprof_rest(r), &unit))
		return osprof_fail(r, DIAG_NAME_BAD,
				   "expected cycles, ns, us, ms, s, plain or unknown");
	osprof_skip_rest(r);
	if (r->in_op)
		build_unit(r->to, unit, UNIT_STATED);
	else
		r->file_unit = unit;
	return true;
}

static bool read_profile_unit(struct osprof_reader *r)
{
	enum unit unit;

	if (!unit_parse(osprof_rest(r), &unit))
		return osprof_fail(r, DIAG_NAME_BAD,
				   "expected cycles, ns, us, ms, s, plain or unknown");
	osprof_skip_rest(r);
	build_profile_unit(r->to, unit);
	return true;
}

static bool read_ends(struct osprof_reader *r)
{
	r->end_announced = true;
	return true;
}

static bool read_by_host(struct osprof_reader *r)
{
	build_by_host(r->to);
	r->by_host = true;
	return true;
}

static bool read_named_host(struct osprof_reader *r, bool missing)
{
	struct str name;

	if (!osprof_take_name(r, &name))
		return false;
	if (missing)
		r->n_missing++;
	else
		r->n_hosts++;
	build_host(r->to, name, missing);
	return true;
}

static bool read_host(struct osprof_reader *r)
{
	return read_named_host(r, false);
}

static bool read_missing(struct osprof_reader *r)
{
	return read_named_host(r, true);
}

/* "N of M": N hosts of M, which must agree with the `host` and `missing` statements before it. */
static bool read_hosts(struct osprof_reader *r)
{
	struct str where = osprof_rest(r), word;
	uint64_t n, of;

	if (!osprof_take_u64(r, &n))
		return false;
	if (!scan_word(&r->line, &word) || !str_eq(word, STR("of")))
		return format_fail(r->in, r->diag, DIAG_LINE_UNEXPECTED, where, "expected N of M");
	scan_blanks(&r->line);
	if (!osprof_take_u64(r, &of))
		return false;
	return (n == r->n_hosts && of == n + r->n_missing) ||
	       format_fail(r->in, r->diag, DIAG_INPUT_TRUNCATED, where,
			   "the names of %zu hosts and of %zu that are missing come before it",
			   r->n_hosts, r->n_missing);
}

/* "1.5", "1.5 timestamps" or "unknown" */
static bool read_elapsed(struct osprof_reader *r)
{
	enum elapsed_source source = ELAPSED_STATED;
	double seconds;

	if (str_eq(osprof_rest(r), STR("unknown"))) {
		osprof_skip_rest(r);
		build_elapsed_unknown(r->to);
		return true;
	}
	if (!osprof_take_positive(r, &seconds))
		return false;
	if (osprof_rest(r).n > 0 && !elapsed_source_parse(osprof_rest(r), &source))
		return osprof_fail(r, DIAG_NAME_BAD, "expected stated, timestamps or rate");
	osprof_skip_rest(r);
	build_elapsed_from(r->to, seconds, source);
	return true;
}

static bool read_concurrency(struct osprof_reader *r)
{
	enum { MAX_CLIENTS = 1 << 30 }; /* so that a double holds any sum of them exactly */
	struct str where = osprof_rest(r);
	uint64_t n;

	if (!osprof_take_u64(r, &n))
		return false;
	if (n == 0 || n > MAX_CLIENTS)
		return format_fail(r->in, r->diag, DIAG_NUMBER_RANGE, where,
				   "expected a number of clients from 1 to %d", MAX_CLIENTS);
	build_concurrency(r->to, n);
	return true;
}

static bool read_fixed_duration(struct osprof_reader *r)
{
	(r->in_op ? build_fixed_duration : build_run_fixed_duration)(r->to);
	return true;
}

static bool read_contention(struct osprof_reader *r)
{
	struct str where = osprof_rest(r);
	struct contention c;

	if (!osprof_take_u64(r, &c.others) || !osprof_take_u64(r, &c.capacity) ||
	    !osprof_take_u64(r, &c.waited) || !osprof_take_u64(r, &c.waits))
		return false;
	if (c.capacity == 0 || c.others > c.capacity)
		return format_fail(r->in, r->diag, DIAG_NUMBER_RANGE, where,
				   "expected a capacity above 0, of which others used a part");
	build_contention(r->to, &c);
	return true;
}

static bool read_lost(struct osprof_reader *r)
{
	uint64_t events;

	if (!osprof_take_u64(r, &events))
		return false;
	return r->in_op ? build_operation_lost(r->to, events, r->keyword)
			: build_lost(r->to, events, r->keyword);
}

/* A `buckets` statement that neither rows nor intervals follow makes an empty histogram. */
static bool end_operation(struct osprof_reader *r)
{
	struct str where = r->buckets;

	r->buckets.n = 0;
	return where.n == 0 || r->in_hist || build_scheme(r->to, &r->scheme, where);
}

static bool read_layer(struct osprof_reader *r)
{
	if (!end_operation(r))
		return false;
	r->in_op = r->in_hist = false;
	return osprof_take_name(r, &r->layer);
}

static bool read_op(struct osprof_reader *r)
{
	struct str where = osprof_rest(r), name;

	if (!end_operation(r) || !osprof_take_name(r, &name) ||
	    !build_new_operation(r->to, r->layer, name, where))
		return false;
	build_whole_run(r->to);
	build_unit(r->to, r->file_unit, UNIT_STATED);
	r->scheme = r->file_scheme;
	r->in_op = true;
	r->n_ops++;
	r->spreads = 0;
	r->in_hist = false;
	osprof_forget_stated(r);
	return true;
}

static bool read_count(struct osprof_reader *r)
{
	uint64_t count;

	return osprof_take_u64(r, &count) && build_count(r->to, count, r->keyword);
}

static bool read_interval(struct osprof_reader *r)
{
	struct str where = osprof_rest(r);
	double start, end;

	if (!osprof_take_f64(r, &start) || !osprof_take_f64(r, &end))
		return false;
	r->in_hist = true;
	osprof_forget_stated(r);
	return build_interval(r->to, start, end, where) && build_scheme(r->to, &r->scheme, where);
}

static bool read_buckets(struct osprof_reader *r)
{
	struct bucket_scheme s;

	if (!osprof_take_scheme(r, &s) || !osprof_take_range(r, &s))
		return false;
	r->scheme = s;
	if (!r->in_op) {
		r->file_scheme = s;
		return true;
	}
	if (r->in_hist || r->buckets.n > 0)
		return format_fail(r->in, r->diag, DIAG_SCHEME_MIXED, r->keyword,
				   "the histogram has begun already");
	if (r->n_runs == 0) /* in a baseline each run begins its own histogram */
		r->buckets = r->keyword;
	return true;
}

/* Where a statement may stand.  IN_PLAIN_OPERATION: not in a baseline, where only runs have
 * counts. */
enum scope { ANYWHERE, IN_OPERATION, IN_PLAIN_OPERATION, OUTSIDE };

/* A statement and its handler: `read` parses the rest of the line, the others take a parsed
 * argument. */
static const struct statement {
	struct str keyword;
	enum scope scope;
	bool (*read)(struct osprof_reader *r);
	void (*flag)(struct builder *to); /* without an argument */
	void (*number)(struct builder *to, double v);
	void (*positive)(struct builder *to, double v);
	void (*name)(struct builder *to, struct str name);
	bool (*total)(struct builder *to, struct decimal total, struct str where);
	bool once; /* once per operation or interval */
} statements[] = {
	{ STR_INIT("op"), ANYWHERE, .read = read_op },
	{ STR_INIT("interval"), IN_PLAIN_OPERATION, .read = read_interval },
	{ STR_INIT("under"), IN_PLAIN_OPERATION, .read = osprof_read_under },
	{ STR_INIT("zero"), IN_PLAIN_OPERATION, .read = osprof_read_zero },
	{ STR_INIT("over"), IN_PLAIN_OPERATION, .read = osprof_read_over },
	{ STR_INIT("total"), IN_PLAIN_OPERATION, .total = build_total, .once = true },
	{ STR_INIT("count"), IN_PLAIN_OPERATION, .read = read_count, .once = true },
	{ STR_INIT("self"), IN_PLAIN_OPERATION, .total = build_self, .once = true },
	{ STR_INIT("inclusive"), IN_PLAIN_OPERATION, .total = build_inclusive, .once = true },
	{ STR_INIT("min"), IN_PLAIN_OPERATION, .number = build_min },
	{ STR_INIT("max"), IN_PLAIN_OPERATION, .number = build_max },
	{ STR_INIT("deviation"), IN_PLAIN_OPERATION, .positive = build_deviation },
	{ STR_INIT("buckets"), ANYWHERE, .read = read_buckets },
	{ STR_INIT("unit"), ANYWHERE, .read = read_unit },
	{ STR_INIT("layer"), ANYWHERE, .read = read_layer },
	{ STR_INIT("threshold"), IN_OPERATION, .positive = build_threshold },
	{ STR_INIT("rounded-totals"), IN_OPERATION, .flag = build_rounded_totals },
	{ STR_INIT("fixed-duration"), ANYWHERE, .read = read_fixed_duration },
	{ STR_INIT("approximate"), IN_OPERATION, .flag = build_approximate },
	{ STR_INIT("granularity"), IN_OPERATION, .positive = build_granularity },
	{ STR_INIT("spread"), IN_PLAIN_OPERATION, .read = osprof_read_spread },
	{ STR_INIT("lost"), ANYWHERE, .read = read_lost },
	{ STR_INIT("run"), IN_OPERATION, .read = osprof_read_run },
	{ STR_INIT("floor"), IN_OPERATION, .read = osprof_read_floor },
	{ STR_INIT("end"), ANYWHERE, .read = osprof_read_end },
	{ STR_INIT("baseline"), OUTSIDE, .read = osprof_read_baseline },
	{ STR_INIT("alarms"), OUTSIDE, .read = osprof_read_alarms },
	{ STR_INIT("nest"), OUTSIDE, .read = osprof_read_nest },
	{ STR_INIT("nested"), OUTSIDE, .read = osprof_read_nested },
	{ STR_INIT("machine"), OUTSIDE, .name = build_machine },
	{ STR_INIT("kernel"), OUTSIDE, .name = build_kernel },
	{ STR_INIT("hz"), OUTSIDE, .positive = build_hz },
	{ STR_INIT("elapsed"), OUTSIDE, .read = read_elapsed },
	{ STR_INIT("concurrency"), OUTSIDE, .read = read_concurrency, .once = true },
	{ STR_INIT("started"), OUTSIDE, .positive = build_started },
	{ STR_INIT("duet"), OUTSIDE, .name = build_duet },
	{ STR_INIT("cpu-speed"), OUTSIDE, .positive = build_cpu_speed },
	{ STR_INIT("untimed"), OUTSIDE, .flag = build_untimed },
	{ STR_INIT("ends"), OUTSIDE, .read = read_ends },
	{ STR_INIT("contention"), OUTSIDE, .read = read_contention, .once = true },
	{ STR_INIT("epoch"), OUTSIDE, .flag = build_epoch },
	{ STR_INIT("by-host"), OUTSIDE, .read = read_by_host },
	{ STR_INIT("host"), OUTSIDE, .read = read_host },
	{ STR_INIT("missing"), OUTSIDE, .read = read_missing },
	{ STR_INIT("hosts"), OUTSIDE, .read = read_hosts },
	{ STR_INIT("profile-unit"), OUTSIDE, .read = read_profile_unit },
};

static bool is_in_scope(struct osprof_reader *r, enum scope scope)
{
	const char *wrong = NULL;

	if (scope == OUTSIDE && r->in_op)
		wrong = "belongs before the first op";
	else if ((scope == IN_OPERATION || scope == IN_PLAIN_OPERATION) && !r->in_op)
		wrong = "belongs after an op";
	else if (scope == IN_PLAIN_OPERATION && r->n_runs > 0)
		wrong = "in a baseline it belongs into a run";
	return wrong == NULL ||
	       format_fail(r->in, r->diag, DIAG_LINE_UNEXPECTED, r->keyword, "%s", wrong);
}

/* Comparing the first letter avoids most calls of memcmp(). */
static bool is_keyword(struct str word, struct str keyword)
{
	return word.n == keyword.n && word.p[0] == keyword.p[0] &&
	       memcmp(word.p, keyword.p, word.n) == 0;
}

static bool is_first(struct osprof_reader *r, const struct statement *s)
{
	uint64_t bit = UINT64_C(1) << (s - statements);
	bool again = (r->stated & bit) != 0;

	_Static_assert(COUNT_OF(statements) <= 64, "a bit for each");
	r->stated |= bit;
	return !again || format_fail(r->in, r->diag, DIAG_CONFLICTING_VALUES, r->keyword,
				     "given a second time");
}

static bool read_total(struct osprof_reader *r, const struct statement *s)
{
	struct str where = osprof_rest(r);
	struct decimal total;

	return osprof_take_decimal(r, &total) && s->total(r->to, total, where);
}

static bool read_number(struct osprof_reader *r, const struct statement *s)
{
	double v;

	if (!(s->number != NULL ? osprof_take_f64(r, &v) : osprof_take_positive(r, &v)))
		return false;
	(s->number != NULL ? s->number : s->positive)(r->to, v);
	return true;
}

static bool read_name(struct osprof_reader *r, const struct statement *s)
{
	struct str name;

	if (!osprof_take_name(r, &name))
		return false;
	s->name(r->to, name);
	return true;
}

static bool read_rest(struct osprof_reader *r, const struct statement *s)
{
	if (s->once && !is_first(r, s))
		return false;
	if (s->read != NULL)
		return s->read(r);
	if (s->total != NULL)
		return read_total(r, s);
	if (s->name != NULL)
		return read_name(r, s);
	if (s->flag == NULL)
		return read_number(r, s);
	s->flag(r->to);
	return true;
}

static bool read_statement(struct osprof_reader *r)
{
	if (!scan_word(&r->line, &r->keyword))
		return true;
	scan_blanks(&r->line);
	for (size_t i = 0; i < COUNT_OF(statements); i++) {
		const struct statement *s = &statements[i];

		if (is_keyword(r->keyword, s->keyword))
			return is_in_scope(r, s->scope) && read_rest(r, s) && osprof_at_end(r);
	}
	if (r->is_newer)
		return format_fail(r->in, r->diag, DIAG_LINE_UNEXPECTED, r->keyword,
				   "written by a newer osprof: this one has no such statement");
	return format_fail(r->in, r->diag, DIAG_LINE_UNEXPECTED, r->keyword,
			   "expected a statement of osprof(5) or a bucket's number");
}

static bool osprof_read_line(struct osprof_reader *r)
{
	scan_blanks(&r->line);
	if (osprof_may_be_row(&r->line)) {
		struct str where = cursor_rest(&r->line);
		int index;

		if (scan_int(&r->line, &index)) {
			r->keyword = where; /* errors about what follows point here */
			return osprof_read_row(r, index, where);
		}
	}
	if (cursor_done(&r->line) || r->in->bytes.p[r->line.at] == '#')
		return true;
	if (r->ended)
		return osprof_fail(r, DIAG_LINE_UNEXPECTED, "nothing follows `end`");
	return read_statement(r);
}

static bool osprof_read_lines(struct osprof_reader *r, struct cursor *lines)
{
	while (!osprof_may_be_row(lines) || osprof_read_rows(r, lines)) {
		if (!scan_line(lines, &r->line))
			return true;
		if (!osprof_read_line(r))
			return false;
	}
	return false;
}

/* Takes the version; false when an error was reported. */
static bool read_version(struct osprof_reader *r, struct str line)
{
	struct file_version version;

	if (!parse_version(osprof_rest(r), &version))
		return format_fail(r->in, r->diag, DIAG_LINE_UNEXPECTED, line,
				   "expected `osprof 1`");
	if (version.major > KNOWN_MAJOR)
		return format_fail(r->in, r->diag, DIAG_LINE_UNEXPECTED, line,
				   "written by a newer osprof: this one reads version 1");
	r->is_newer = version.minor > KNOWN_MINOR;
	return true;
}

static bool read_magic(struct cursor *c, struct osprof_reader *r)
{
	while (scan_line(c, &r->line)) {
		struct str word, line = osprof_rest(r);

		if (line.n == 0 || line.p[0] == '#')
			continue;
		if (scan_word(&r->line, &word) && str_eq(word, str_from(magic)))
			return read_version(r, line);
		return format_fail(r->in, r->diag, DIAG_LINE_UNEXPECTED, line,
				   "expected `osprof 1`");
	}
	return format_fail(r->in, r->diag, DIAG_INPUT_EMPTY, r->in->bytes, "expected `osprof 1`");
}

static bool read_osprof(const struct read_task *task)
{
	struct osprof_reader r = {
		.in = task->in,
		.to = task->to,
		.diag = task->diag,
		.arena = arena_new(),
		.layer = STR(""),
		.buckets = STR(""),
		.file_scheme = bucket_log2(1),
	};
	struct cursor c = cursor_on(task->in);
	bool ok;

	build_keep_zeros(task->to);
	build_room_for_operations(task->to, osprof_expected_operations(task->in->bytes));
	ok = read_magic(&c, &r) && osprof_read_lines(&r, &c) && end_operation(&r) &&
	     osprof_is_whole(&r);
	osprof_push_nest(&r);

	arena_free(r.arena);
	return ok;
}

const struct format format_osprof = {
	.name = "osprof",
	.title = "osprof's own text format, osprof(5)",
	.versions = "1",
	.unit = "stated",
	.totals = "exact, where the collector prints them",
	.suffix = suffixes,
	.first_line = "osprof 1\n",
	.probe = probe_osprof,
	.read = read_osprof,
	.write = osprof_write,
};
