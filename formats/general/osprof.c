/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * osprof: our own text format, made to be printed by a kernel module, a DLL or a
 * script in twenty lines, and to hold all that a profile can.  osprof(5) is its
 * specification.
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
 * bucket b holds 2^b <= latency < 2^(b+1).  Where the head says `ends`, the file is
 * whole only with `end N` after its N operations.
 */
#include "base/arena.h"
#include "base/scan.h"
#include "formats/format.h"
#include "formats/general/osprof_reader.h"
#include "formats/general/osprof_write.h"

static const char *const suffixes[] = { ".osprof", NULL };
static const char magic[] = "osprof";

static enum probe probe_osprof(struct str head, struct clue *clue)
{
	struct str line, rest = head;

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
		if (str_eq(str_trim(line), STR("1")))
			return PROBE_MAGIC;
		return probe_near(clue, head, line, "a version other than 1");
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

static bool read_hz(struct osprof_reader *r)
{
	double hz;

	if (!osprof_take_positive(r, &hz))
		return false;
	build_hz(r->to, hz);
	return true;
}

static bool read_untimed(struct osprof_reader *r)
{
	build_untimed(r->to);
	return true;
}

static bool read_epoch(struct osprof_reader *r)
{
	build_epoch(r->to);
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

/* How many of how many: a checksum of the names before it. */
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

static bool read_machine(struct osprof_reader *r)
{
	struct str name;

	if (!osprof_take_name(r, &name))
		return false;
	build_machine(r->to, name);
	return true;
}

static bool read_kernel(struct osprof_reader *r)
{
	struct str name;

	if (!osprof_take_name(r, &name))
		return false;
	build_kernel(r->to, name);
	return true;
}

static bool read_elapsed(struct osprof_reader *r)
{
	double seconds;

	if (str_eq(osprof_rest(r), STR("unknown"))) {
		osprof_skip_rest(r);
		build_elapsed_unknown(r->to);
		return true;
	}
	if (!osprof_take_positive(r, &seconds))
		return false;
	build_elapsed(r->to, seconds);
	return true;
}

static bool read_started(struct osprof_reader *r)
{
	double seconds;

	if (!osprof_take_positive(r, &seconds))
		return false;
	build_started(r->to, seconds);
	return true;
}

static bool read_cpu_speed(struct osprof_reader *r)
{
	double steps;

	if (!osprof_take_positive(r, &steps))
		return false;
	build_cpu_speed(r->to, steps);
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

/* Of buckets that neither rows nor intervals followed there is an empty histogram. */
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
	osprof_state_anew(r);
	return true;
}

/* What is stated of an operation or an interval is stated once. */
static bool state_once(struct osprof_reader *r, bool *stated)
{
	if (*stated)
		return format_fail(r->in, r->diag, DIAG_CONFLICTING_VALUES, r->keyword,
				   "given a second time");
	*stated = true;
	return true;
}

static bool read_total(struct osprof_reader *r)
{
	struct decimal total;
	struct str where = osprof_rest(r);

	return state_once(r, &r->has_total) && osprof_take_decimal(r, &total) &&
	       build_total(r->to, total, where);
}

static bool read_self(struct osprof_reader *r)
{
	struct decimal self;
	struct str where = osprof_rest(r);

	return state_once(r, &r->has_self) && osprof_take_decimal(r, &self) &&
	       build_self(r->to, self, where);
}

static bool read_inclusive(struct osprof_reader *r)
{
	struct decimal inclusive;
	struct str where = osprof_rest(r);

	return state_once(r, &r->has_inclusive) && osprof_take_decimal(r, &inclusive) &&
	       build_inclusive(r->to, inclusive, where);
}

static bool read_count(struct osprof_reader *r)
{
	uint64_t count;

	return state_once(r, &r->has_count) && osprof_take_u64(r, &count) &&
	       build_count(r->to, count, r->keyword);
}

static bool read_min(struct osprof_reader *r)
{
	double v;

	if (!osprof_take_f64(r, &v))
		return false;
	build_min(r->to, v);
	return true;
}

static bool read_max(struct osprof_reader *r)
{
	double v;

	if (!osprof_take_f64(r, &v))
		return false;
	build_max(r->to, v);
	return true;
}

static bool read_threshold(struct osprof_reader *r)
{
	double v;

	if (!osprof_take_positive(r, &v))
		return false;
	build_threshold(r->to, v);
	return true;
}

static bool read_granularity(struct osprof_reader *r)
{
	double v;

	if (!osprof_take_positive(r, &v))
		return false;
	build_granularity(r->to, v);
	return true;
}

static bool read_rounded_totals(struct osprof_reader *r)
{
	build_rounded_totals(r->to);
	return true;
}

static bool read_fixed_duration(struct osprof_reader *r)
{
	build_fixed_duration(r->to);
	return true;
}

static bool read_approximate(struct osprof_reader *r)
{
	build_approximate(r->to);
	return true;
}

static bool read_interval(struct osprof_reader *r)
{
	struct str where = osprof_rest(r);
	double start, end;

	if (!osprof_take_f64(r, &start) || !osprof_take_f64(r, &end))
		return false;
	r->in_hist = true;
	osprof_state_anew(r);
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
	if (r->n_runs == 0) /* in a baseline each run begins its own */
		r->buckets = r->keyword;
	return true;
}

/* Of a baseline's operation only its runs know counts. */
enum scope { ANYWHERE, IN_OPERATION, IN_PLAIN_OPERATION, OUTSIDE };

static const struct statement {
	struct str keyword;
	bool (*read)(struct osprof_reader *r);
	enum scope scope;
} statements[] = {
	{ STR_INIT("op"), read_op, ANYWHERE },
	{ STR_INIT("interval"), read_interval, IN_PLAIN_OPERATION },
	{ STR_INIT("under"), osprof_read_under, IN_PLAIN_OPERATION },
	{ STR_INIT("zero"), osprof_read_zero, IN_PLAIN_OPERATION },
	{ STR_INIT("over"), osprof_read_over, IN_PLAIN_OPERATION },
	{ STR_INIT("total"), read_total, IN_PLAIN_OPERATION },
	{ STR_INIT("count"), read_count, IN_PLAIN_OPERATION },
	{ STR_INIT("self"), read_self, IN_PLAIN_OPERATION },
	{ STR_INIT("inclusive"), read_inclusive, IN_PLAIN_OPERATION },
	{ STR_INIT("min"), read_min, IN_PLAIN_OPERATION },
	{ STR_INIT("max"), read_max, IN_PLAIN_OPERATION },
	{ STR_INIT("buckets"), read_buckets, ANYWHERE },
	{ STR_INIT("unit"), read_unit, ANYWHERE },
	{ STR_INIT("layer"), read_layer, ANYWHERE },
	{ STR_INIT("threshold"), read_threshold, IN_OPERATION },
	{ STR_INIT("rounded-totals"), read_rounded_totals, IN_OPERATION },
	{ STR_INIT("fixed-duration"), read_fixed_duration, IN_OPERATION },
	{ STR_INIT("approximate"), read_approximate, IN_OPERATION },
	{ STR_INIT("granularity"), read_granularity, IN_OPERATION },
	{ STR_INIT("spread"), osprof_read_spread, IN_PLAIN_OPERATION },
	{ STR_INIT("lost"), read_lost, ANYWHERE },
	{ STR_INIT("run"), osprof_read_run, IN_OPERATION },
	{ STR_INIT("floor"), osprof_read_floor, IN_OPERATION },
	{ STR_INIT("end"), osprof_read_end, ANYWHERE },
	{ STR_INIT("baseline"), osprof_read_baseline, OUTSIDE },
	{ STR_INIT("alarms"), osprof_read_alarms, OUTSIDE },
	{ STR_INIT("nest"), osprof_read_nest, OUTSIDE },
	{ STR_INIT("nested"), osprof_read_nested, OUTSIDE },
	{ STR_INIT("machine"), read_machine, OUTSIDE },
	{ STR_INIT("kernel"), read_kernel, OUTSIDE },
	{ STR_INIT("hz"), read_hz, OUTSIDE },
	{ STR_INIT("elapsed"), read_elapsed, OUTSIDE },
	{ STR_INIT("started"), read_started, OUTSIDE },
	{ STR_INIT("cpu-speed"), read_cpu_speed, OUTSIDE },
	{ STR_INIT("untimed"), read_untimed, OUTSIDE },
	{ STR_INIT("ends"), read_ends, OUTSIDE },
	{ STR_INIT("epoch"), read_epoch, OUTSIDE },
	{ STR_INIT("by-host"), read_by_host, OUTSIDE },
	{ STR_INIT("host"), read_host, OUTSIDE },
	{ STR_INIT("missing"), read_missing, OUTSIDE },
	{ STR_INIT("hosts"), read_hosts, OUTSIDE },
	{ STR_INIT("profile-unit"), read_profile_unit, OUTSIDE },
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

/* The first letter tells most apart without a call. */
static bool is_keyword(struct str word, struct str keyword)
{
	return word.n == keyword.n && word.p[0] == keyword.p[0] &&
	       memcmp(word.p, keyword.p, word.n) == 0;
}

static bool read_statement(struct osprof_reader *r)
{
	if (!scan_word(&r->line, &r->keyword))
		return true;
	scan_blanks(&r->line);
	for (size_t i = 0; i < COUNT_OF(statements); i++) {
		const struct statement *s = &statements[i];

		if (!is_keyword(r->keyword, s->keyword))
			continue;
		if (!is_in_scope(r, s->scope))
			return false;
		return s->read(r) && osprof_at_end(r);
	}
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
			r->keyword = where; /* what is missing after it is missing here */
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

static bool read_magic(struct cursor *c, struct osprof_reader *r)
{
	while (scan_line(c, &r->line)) {
		struct str word, line = osprof_rest(r);

		if (line.n == 0 || line.p[0] == '#')
			continue;
		if (scan_word(&r->line, &word) && str_eq(word, str_from(magic)) &&
		    str_eq(osprof_rest(r), STR("1")))
			return true;
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
