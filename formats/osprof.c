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
 * bucket b holds 2^b <= latency < 2^(b+1).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/quoted.h"
#include "base/scan.h"
#include "base/xalloc.h"
#include "formats/format.h"
#include "formats/osprof_write.h"

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
		*clue = (struct clue){ (size_t)(line.p - head.p), "a version other than 1" };
		return PROBE_NO;
	}
	return PROBE_NO;
}

/* --- reading ---------------------------------------------------------------- */

struct reader {
	struct input *in;
	struct builder *to;
	struct diag *diag;
	struct arena *arena; /* names with escapes, edges */
	struct cursor line;  /* what is left of it */
	struct str keyword;
	struct str layer;
	enum unit file_unit;
	struct bucket_scheme file_scheme, scheme;
	bool has_total, has_count; /* stated already, of this operation or interval */
	bool in_op, in_hist;	   /* a statement of an operation, a bucket may follow */
};

static struct str rest_of(const struct reader *r)
{
	return str_trim(cursor_rest(&r->line));
}

static struct str take_rest(struct reader *r)
{
	struct str rest = rest_of(r);

	r->line.at = r->line.end;
	return rest;
}

static bool fail(struct reader *r, enum diag_code code, const char *what)
{
	struct str where = rest_of(r);

	return format_fail(r->in, r->diag, code, where.n > 0 ? where : r->keyword, "%s", what);
}

static bool take_u64(struct reader *r, uint64_t *ret)
{
	struct cursor before = r->line;
	struct str word;
	enum number what;

	if (!scan_word(&r->line, &word))
		return fail(r, DIAG_NUMBER_BAD, "expected a count");
	what = number_u64(word, ret);
	if (what == NUMBER_OK)
		return true;
	r->line = before;
	if (what == NUMBER_TOO_LARGE)
		return fail(r, DIAG_COUNT_OVERFLOW, "more than 2^64-1");
	return fail(r, DIAG_NUMBER_BAD, "expected a count");
}

static bool take_f64(struct reader *r, double *ret)
{
	struct cursor before = r->line;
	struct str word;

	if (scan_word(&r->line, &word) && number_f64(word, ret) == NUMBER_OK)
		return true;
	r->line = before;
	return fail(r, DIAG_NUMBER_BAD, "expected a number");
}

static bool take_int(struct reader *r, int *ret)
{
	struct cursor before = r->line;

	scan_blanks(&r->line);
	if (scan_int(&r->line, ret))
		return true;
	r->line = before;
	return fail(r, DIAG_NUMBER_BAD, "expected a whole number");
}

static bool at_end(struct reader *r)
{
	return rest_of(r).n == 0 || fail(r, DIAG_LINE_UNEXPECTED, "expected the end of the line");
}

/* The rest of the line is a name: as it stands, or quoted. */
static bool take_name(struct reader *r, struct str *ret)
{
	struct str s = rest_of(r);

	if (s.n == 0)
		return fail(r, DIAG_NAME_BAD, "expected a name");
	if (!quoted_parse(r->arena, s, ret))
		return fail(r, DIAG_NAME_BAD,
			    "expected a quote at the end, and within \\\\, \\\", \\n or \\xHH");
	(void)take_rest(r);
	return true;
}

/* --- statements ------------------------------------------------------------- */

static bool read_unit(struct reader *r)
{
	enum unit unit;

	if (!unit_parse(rest_of(r), &unit))
		return fail(r, DIAG_NAME_BAD, "expected cycles, ns, us, ms, s, plain or unknown");
	(void)take_rest(r);
	if (r->in_op)
		build_unit(r->to, unit, UNIT_STATED);
	else
		r->file_unit = unit;
	return true;
}

static bool read_positive(struct reader *r, double *ret)
{
	struct str where = rest_of(r);

	if (!take_f64(r, ret))
		return false;
	if (*ret > 0 && isfinite(*ret))
		return true;
	return format_fail(r->in, r->diag, DIAG_NUMBER_RANGE, where, "expected more than 0");
}

static bool read_hz(struct reader *r)
{
	double hz;

	if (!read_positive(r, &hz))
		return false;
	build_hz(r->to, hz);
	return true;
}

static bool read_untimed(struct reader *r)
{
	build_untimed(r->to);
	return true;
}

static bool read_elapsed(struct reader *r)
{
	double seconds;

	if (!read_positive(r, &seconds))
		return false;
	build_elapsed(r->to, seconds);
	return true;
}

static bool read_lost(struct reader *r)
{
	uint64_t events;

	if (!take_u64(r, &events))
		return false;
	return r->in_op ? build_operation_lost(r->to, events, r->keyword)
			: build_lost(r->to, events, r->keyword);
}

static bool read_layer(struct reader *r)
{
	r->in_op = r->in_hist = false;
	return take_name(r, &r->layer);
}

static bool read_op(struct reader *r)
{
	struct str where = rest_of(r), name;

	if (!take_name(r, &name) || !build_new_operation(r->to, r->layer, name, where))
		return false;
	build_whole_run(r->to);
	build_unit(r->to, r->file_unit, UNIT_STATED);
	r->scheme = r->file_scheme;
	r->in_op = true;
	r->in_hist = r->has_total = r->has_count = false;
	return true;
}

/* What is stated of an operation or an interval is stated once. */
static bool state_once(struct reader *r, bool *stated)
{
	if (*stated)
		return format_fail(r->in, r->diag, DIAG_STATED_CLASH, r->keyword,
				   "given a second time");
	*stated = true;
	return true;
}

static bool read_total(struct reader *r)
{
	struct decimal total;
	struct str where = rest_of(r);

	if (!state_once(r, &r->has_total))
		return false;
	if (!decimal_parse(where, &total))
		return fail(r, DIAG_NUMBER_BAD, "expected a decimal number below 1e29");
	(void)take_rest(r);
	return build_total(r->to, total, where);
}

static bool read_count(struct reader *r)
{
	uint64_t count;

	return state_once(r, &r->has_count) && take_u64(r, &count) &&
	       build_count(r->to, count, r->keyword);
}

static bool read_min(struct reader *r)
{
	double v;

	if (!take_f64(r, &v))
		return false;
	build_min(r->to, v);
	return true;
}

static bool read_max(struct reader *r)
{
	double v;

	if (!take_f64(r, &v))
		return false;
	build_max(r->to, v);
	return true;
}

static bool read_threshold(struct reader *r)
{
	double v;

	if (!read_positive(r, &v))
		return false;
	build_threshold(r->to, v);
	return true;
}

static bool read_granularity(struct reader *r)
{
	double v;

	if (!read_positive(r, &v))
		return false;
	build_granularity(r->to, v);
	return true;
}

static bool read_approximate(struct reader *r)
{
	build_approximate(r->to);
	return true;
}

static bool read_interval(struct reader *r)
{
	struct str where = rest_of(r);
	double start, end;

	if (!take_f64(r, &start) || !take_f64(r, &end))
		return false;
	r->in_hist = true;
	r->has_total = r->has_count = false;
	return build_interval(r->to, start, end, where) && build_scheme(r->to, &r->scheme, where);
}

static bool take_resolution(struct reader *r, unsigned *ret)
{
	struct str where = rest_of(r);
	uint64_t v;

	if (!take_u64(r, &v))
		return false;
	if (v < 1 || v > BUCKET_MAX_RESOLUTION)
		return format_fail(r->in, r->diag, DIAG_SCHEME_BAD, where,
				   "expected a resolution from 1 to %d", BUCKET_MAX_RESOLUTION);
	*ret = (unsigned)v;
	return true;
}

static bool take_edges(struct reader *r, struct bucket_scheme *ret)
{
	double *edge = NULL;
	size_t n = 0, cap = 0;

	while (rest_of(r).n > 0) {
		struct str where = rest_of(r);
		double v;

		if (!take_f64(r, &v) || (n > 0 && !(v > edge[n - 1])) || !isfinite(v)) {
			free(edge);
			return format_fail(r->in, r->diag, DIAG_SCHEME_BAD, where,
					   "expected ascending edges");
		}
		edge = xgrow(edge, &cap, n + 1, sizeof(*edge));
		edge[n++] = v;
	}
	if (n == 0)
		return fail(r, DIAG_SCHEME_BAD, "expected ascending edges");
	*ret = bucket_edges(memcpy(arena_make(r->arena, double, n), edge, n * sizeof(*edge)), n);
	free(edge);
	return true;
}

static bool take_scheme(struct reader *r, struct bucket_scheme *ret)
{
	struct bucket_scheme s;
	double origin, step;
	struct str kind;

	if (!scan_word(&r->line, &kind))
		return fail(r, DIAG_SCHEME_BAD, "expected log2, linear, loglinear or edges");
	if (str_eq(kind, STR("edges")))
		return take_edges(r, ret);
	if (str_eq(kind, STR("log2"))) {
		s = bucket_log2(1);
		if (!take_resolution(r, &s.resolution))
			return false;
	} else if (str_eq(kind, STR("linear"))) {
		if (!take_f64(r, &origin) || !read_positive(r, &step))
			return false;
		if (!isfinite(origin))
			return fail(r, DIAG_SCHEME_BAD, "expected a finite origin");
		s = bucket_linear(origin, step);
	} else if (str_eq(kind, STR("loglinear"))) {
		unsigned resolution;

		if (!take_resolution(r, &resolution) || !read_positive(r, &step))
			return false;
		if ((resolution & (resolution - 1)) != 0)
			return fail(r, DIAG_SCHEME_BAD, "expected a power of two as resolution");
		s = bucket_log_linear(resolution, step);
	} else {
		return format_fail(r->in, r->diag, DIAG_SCHEME_BAD, kind,
				   "expected log2, linear, loglinear or edges");
	}
	*ret = s;
	return true;
}

/* The numbers of the lowest and of the open top bucket may follow a scheme. */
static bool take_range(struct reader *r, struct bucket_scheme *s)
{
	enum { FURTHEST = 1 << 24 };
	struct str word, where = rest_of(r);

	while (scan_word(&r->line, &word)) {
		int *end = str_eq(word, STR("from"))   ? &s->first
			   : str_eq(word, STR("open")) ? &s->limit
						       : NULL;

		if (end == NULL)
			return format_fail(r->in, r->diag, DIAG_SCHEME_BAD, word,
					   "expected `from` or `open`");
		if (!take_int(r, end))
			return false;
		if (abs(*end) > FURTHEST)
			return format_fail(r->in, r->diag, DIAG_SCHEME_BAD, where,
					   "bucket numbers reach from -%d to %d", FURTHEST,
					   FURTHEST);
	}
	if (s->first > s->limit)
		return format_fail(r->in, r->diag, DIAG_SCHEME_BAD, where,
				   "the lowest bucket is above the open one");
	return true;
}

static bool read_buckets(struct reader *r)
{
	struct bucket_scheme s;

	if (!take_scheme(r, &s) || !take_range(r, &s))
		return false;
	r->scheme = s;
	if (!r->in_op) {
		r->file_scheme = s;
		return true;
	}
	if (r->in_hist)
		return format_fail(r->in, r->diag, DIAG_SCHEME_MIXED, r->keyword,
				   "the histogram has begun already");
	r->in_hist = true;
	return build_scheme(r->to, &s, r->keyword);
}

/* A row: the number of a bucket, or its name, and a count. */
static bool read_row(struct reader *r, int index, struct str where)
{
	struct cursor before;
	uint64_t count;

	if (!r->in_op)
		return format_fail(r->in, r->diag, DIAG_LINE_UNEXPECTED, where,
				   "a bucket before any op");
	scan_blanks(&r->line);
	before = r->line;
	/* Nearly every line is two numbers and nothing else. */
	if (!scan_u64(&r->line, &count) || !cursor_done(&r->line)) {
		r->line = before;
		if (!take_u64(r, &count) || !at_end(r))
			return false;
	}
	if (!r->in_hist && !build_scheme(r->to, &r->scheme, where))
		return false;
	r->in_hist = true;
	return build_bucket(r->to, index, count, where);
}

static bool read_under(struct reader *r)
{
	if (r->scheme.first == BUCKET_NO_FIRST)
		return fail(r, DIAG_BUCKET_BOUNDS,
			    "the scheme has no lowest bucket: `from` gives it");
	return read_row(r, bucket_lowest(&r->scheme), r->keyword);
}

static bool read_zero(struct reader *r)
{
	if (r->scheme.first == BUCKET_NO_FIRST)
		return fail(r, DIAG_BUCKET_BOUNDS,
			    "the scheme has no lowest bucket: `from` gives it");
	return read_row(r, r->scheme.first - 1, r->keyword);
}

static bool read_over(struct reader *r)
{
	if (r->scheme.limit == BUCKET_NO_LIMIT)
		return fail(r, DIAG_BUCKET_BOUNDS, "the scheme has no open top: `open` gives it");
	return read_row(r, r->scheme.limit, r->keyword);
}

enum place { ANYWHERE, IN_OPERATION, OUTSIDE };

static const struct statement {
	const char *keyword;
	bool (*read)(struct reader *r);
	enum place place;
} statements[] = {
	{ "op", read_op, ANYWHERE },
	{ "under", read_under, IN_OPERATION },
	{ "zero", read_zero, IN_OPERATION },
	{ "over", read_over, IN_OPERATION },
	{ "total", read_total, IN_OPERATION },
	{ "count", read_count, IN_OPERATION },
	{ "min", read_min, IN_OPERATION },
	{ "max", read_max, IN_OPERATION },
	{ "interval", read_interval, IN_OPERATION },
	{ "buckets", read_buckets, ANYWHERE },
	{ "unit", read_unit, ANYWHERE },
	{ "layer", read_layer, ANYWHERE },
	{ "threshold", read_threshold, IN_OPERATION },
	{ "approximate", read_approximate, IN_OPERATION },
	{ "granularity", read_granularity, IN_OPERATION },
	{ "lost", read_lost, ANYWHERE },
	{ "hz", read_hz, OUTSIDE },
	{ "elapsed", read_elapsed, OUTSIDE },
	{ "untimed", read_untimed, OUTSIDE },
};

static bool read_statement(struct reader *r)
{
	if (!scan_word(&r->line, &r->keyword))
		return true;
	for (size_t i = 0; i < COUNT_OF(statements); i++) {
		const struct statement *s = &statements[i];

		if (!str_eq(r->keyword, str_from(s->keyword)))
			continue;
		if (s->place == (r->in_op ? OUTSIDE : IN_OPERATION))
			return format_fail(r->in, r->diag, DIAG_LINE_UNEXPECTED, r->keyword,
					   r->in_op ? "belongs before the first op"
						    : "belongs behind an op");
		return s->read(r) && at_end(r);
	}
	return format_fail(r->in, r->diag, DIAG_LINE_UNEXPECTED, r->keyword,
			   "expected a statement of osprof(5) or a bucket's number");
}

static bool read_line(struct reader *r)
{
	struct cursor start;
	int index;

	scan_blanks(&r->line);
	start = r->line;
	if (scan_int(&r->line, &index))
		return read_row(r, index, cursor_rest(&start));
	if (cursor_done(&r->line) || r->in->bytes.p[r->line.at] == '#')
		return true;
	return read_statement(r);
}

static bool read_magic(struct cursor *c, struct reader *r)
{
	while (scan_line(c, &r->line)) {
		struct str word, line = rest_of(r);

		if (line.n == 0 || line.p[0] == '#')
			continue;
		if (scan_word(&r->line, &word) && str_eq(word, str_from(magic)) &&
		    str_eq(rest_of(r), STR("1")))
			return true;
		return format_fail(r->in, r->diag, DIAG_LINE_UNEXPECTED, line,
				   "expected `osprof 1`");
	}
	return format_fail(r->in, r->diag, DIAG_INPUT_EMPTY, r->in->bytes, "expected `osprof 1`");
}

static bool read_osprof(struct input *in, const struct read_options *options, struct builder *to,
			struct diag *diag)
{
	struct reader r = {
		.in = in,
		.to = to,
		.diag = diag,
		.arena = arena_new(),
		.layer = STR(""),
		.file_scheme = bucket_log2(1),
	};
	struct cursor c = cursor_on(in);
	bool fine = read_magic(&c, &r);

	(void)options;
	while (fine && scan_line(&c, &r.line))
		fine = read_line(&r);
	arena_free(r.arena);
	return fine;
}

const struct format format_osprof = {
	.name = "osprof",
	.title = "osprof's own text format, osprof(5)",
	.versions = "1",
	.unit = "stated",
	.totals = "exact, where the collector prints them",
	.suffix = suffixes,
	.probe = probe_osprof,
	.read = read_osprof,
	.write = osprof_write,
};
