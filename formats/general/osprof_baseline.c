/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The statements of a baseline: repeated runs in one file.
 *
 *	baseline 5
 *	alarms 1 5
 *	op read
 *	floor 0.03 0.05 0.4 0.01
 *	run 1 count 20 total 5100 7:12 8:8
 *	run 2 count 21 total 5320 7:13 8:8
 *	end
 *
 * Run k is stored as the interval from k - 1 to k.
 */
#include <math.h>
#include <string.h>

#include "formats/general/osprof_reader.h"
#include "profile/profile.h"

enum { FEWEST_RUNS = 3, MAX_RUNS = 64 };

bool osprof_read_baseline(struct osprof_reader *r)
{
	struct str where = osprof_rest(r);
	uint64_t n;

	if (r->n_ops > 0 || r->n_runs > 0)
		return format_fail(r->in, r->diag, DIAG_LINE_UNEXPECTED, r->keyword,
				   "allowed once, before all operations");
	if (!osprof_take_u64(r, &n))
		return false;
	if (n < FEWEST_RUNS || n > MAX_RUNS)
		return format_fail(r->in, r->diag, DIAG_NUMBER_RANGE, where,
				   "a baseline has %d to %d runs", FEWEST_RUNS, MAX_RUNS);
	r->n_runs = (size_t)n;
	build_baseline(r->to, r->n_runs);
	return true;
}

bool osprof_read_alarms(struct osprof_reader *r)
{
	struct str where = osprof_rest(r);
	uint64_t alarms, replays;

	if (!osprof_take_u64(r, &alarms) || !osprof_take_u64(r, &replays))
		return false;
	if (alarms > replays || replays > MAX_RUNS)
		return format_fail(r->in, r->diag, DIAG_NUMBER_RANGE, where,
				   "expected how many alarms, of how many runs");
	build_alarms(r->to, (size_t)alarms, (size_t)replays);
	return true;
}

/* Takes a number from 0 on, or `unknown`. */
static bool take_floor(struct osprof_reader *r, double *ret)
{
	struct cursor before = r->line;
	struct str word, where = osprof_rest(r);

	if (scan_word(&r->line, &word) && str_eq(word, STR("unknown"))) {
		*ret = NAN;
		return true;
	}
	r->line = before;
	if (!osprof_take_f64(r, ret))
		return false;
	return (*ret >= 0 && isfinite(*ret)) ||
	       format_fail(r->in, r->diag, DIAG_NUMBER_RANGE, where,
			   "expected octaves, 0 or more, or `unknown`");
}

bool osprof_read_floor(struct osprof_reader *r)
{
	struct noise_floor f;

	if (!take_floor(r, &f.shift) || !take_floor(r, &f.mean) || !take_floor(r, &f.tail) ||
	    !take_floor(r, &f.calls))
		return false;
	build_floor(r->to, &f);
	return true;
}

/* --- runs -------------------------------------------------------------------------- */

static bool take_total(struct osprof_reader *r,
		       bool (*build)(struct builder *, struct decimal, struct str))
{
	struct decimal total;
	struct str word = osprof_rest(r);

	if (!scan_word(&r->line, &word) || !decimal_parse(word, &total))
		return format_fail(r->in, r->diag, DIAG_NUMBER_BAD, word,
				   "expected a decimal number below 1e29");
	return build(r->to, total, word);
}

static bool take_moment(struct osprof_reader *r, struct str what)
{
	uint64_t count;
	double v;

	if (str_eq(what, STR("count")))
		return osprof_take_u64(r, &count) && build_count(r->to, count, what);
	if (str_eq(what, STR("total")))
		return take_total(r, build_total);
	if (str_eq(what, STR("self")))
		return take_total(r, build_self);
	if (str_eq(what, STR("inclusive")))
		return take_total(r, build_inclusive);
	if (!osprof_take_f64(r, &v))
		return false;
	(str_eq(what, STR("min")) ? build_min : build_max)(r->to, v);
	return true;
}

static bool index_of(const struct osprof_reader *r, struct str name, int *ret)
{
	const struct bucket_scheme *s = &r->scheme;
	bool bounded = s->first != BUCKET_NO_FIRST;
	struct cursor c = cursor_at(r->in, name);

	if (scan_int(&c, ret))
		return cursor_done(&c);
	*ret = str_eq(name, STR("under")) && bounded  ? bucket_lowest(s)
	       : str_eq(name, STR("zero")) && bounded ? s->first - 1
						      : s->limit;
	return ((str_eq(name, STR("under")) || str_eq(name, STR("zero"))) && bounded) ||
	       (str_eq(name, STR("over")) && s->limit != BUCKET_NO_LIMIT);
}

/* Takes BUCKET:COUNT, as a row with two columns has it. */
static bool take_bucket(struct osprof_reader *r, struct str word)
{
	struct str name, number;
	enum number what;
	uint64_t count;
	int index;

	if (!str_cut(word, ':', &name, &number))
		return format_fail(
			r->in, r->diag, DIAG_LINE_UNEXPECTED, word,
			"expected count, total, self, inclusive, min, max or BUCKET:COUNT");
	if (!index_of(r, name, &index))
		return format_fail(r->in, r->diag, DIAG_BUCKET_BOUNDS, name,
				   "not a bucket of the scheme");
	what = number_u64(number, &count);
	if (what != NUMBER_OK)
		return format_fail(r->in, r->diag,
				   what == NUMBER_NONE ? DIAG_NUMBER_BAD : DIAG_COUNT_OVERFLOW,
				   number, "expected a count up to 2^64-1");
	return build_bucket(r->to, index, count, word);
}

static bool is_moment(struct str word)
{
	return str_eq(word, STR("count")) || str_eq(word, STR("total")) ||
	       str_eq(word, STR("self")) || str_eq(word, STR("inclusive")) ||
	       str_eq(word, STR("min")) || str_eq(word, STR("max"));
}

bool osprof_read_run(struct osprof_reader *r)
{
	struct str word, where = osprof_rest(r);
	uint64_t k;

	if (r->n_runs == 0)
		return format_fail(r->in, r->diag, DIAG_LINE_UNEXPECTED, r->keyword,
				   "belongs to a baseline, and this file does not begin as one");
	if (!osprof_take_u64(r, &k))
		return false;
	if (k < 1 || k > r->n_runs)
		return format_fail(r->in, r->diag, DIAG_NUMBER_RANGE, where,
				   "runs have numbers from 1 to %zu", r->n_runs);
	if (!build_interval(r->to, (double)(k - 1), (double)k, where) ||
	    !build_scheme(r->to, &r->scheme, r->keyword))
		return false;
	r->in_hist = true;
	while (scan_word(&r->line, &word)) {
		if (!(is_moment(word) ? take_moment(r, word) : take_bucket(r, word)))
			return false;
	}
	return true;
}

/* The number is limited by the file's size: memory for what a damaged file claims could be too
 * much. */
size_t osprof_expected_operations(struct str bytes)
{
	enum { MIN_BYTES = 64 }; /* of most operations */
	size_t to = bytes.n, from;
	struct str line;
	uint64_t n;

	if (to > 0 && bytes.p[to - 1] == '\n')
		to--;
	for (from = to; from > 0 && bytes.p[from - 1] != '\n'; from--)
		;
	line = (struct str){ bytes.p + from, to - from };
	if (!str_has_prefix(line, STR("end ")) ||
	    number_u64(str_skip(line, strlen("end ")), &n) != NUMBER_OK)
		return 0;
	return n < bytes.n / MIN_BYTES ? (size_t)n : bytes.n / MIN_BYTES;
}

/* Old baselines have an `end` without the number of operations. */
bool osprof_read_end(struct osprof_reader *r)
{
	struct str where = osprof_rest(r);
	uint64_t n;

	r->ended = true;
	if (r->n_runs > 0 && where.n == 0)
		return true;
	if (!osprof_take_u64(r, &n))
		return false;
	if (n != r->n_ops)
		return format_fail(r->in, r->diag, DIAG_INPUT_TRUNCATED, where,
				   "%zu operation%s, and the file says it has %llu", r->n_ops,
				   r->n_ops == 1 ? "" : "s", (unsigned long long)n);
	build_may_be_empty(r->to);
	return true;
}

bool osprof_is_whole(struct osprof_reader *r)
{
	const struct str bytes = r->in->bytes, end = { bytes.p + bytes.n, 0 };

	if (r->ended || (r->n_runs == 0 && !r->end_announced))
		return true;
	return format_fail(r->in, r->diag, DIAG_INPUT_TRUNCATED, end,
			   r->n_runs > 0 ? "the line `end` of a baseline is missing"
					 : "the line `end` and the number of operations is "
					   "missing");
}
