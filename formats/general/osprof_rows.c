/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows of a histogram: the number or name of a bucket, and a count.
 *
 * 	7 20210
 * 	over 3
 */
#include "base/word.h"
#include "formats/general/osprof_reader.h"
#include "profile/builder/builder.h"

struct row {
	int index;
	uint64_t count;
	struct str where;
};

static bool is_in_scope(struct osprof_reader *r, struct str where)
{
	if (r->ended)
		return format_fail(r->in, r->diag, DIAG_LINE_UNEXPECTED, where,
				   "nothing follows `end`");
	if (!r->in_op)
		return format_fail(r->in, r->diag, DIAG_LINE_UNEXPECTED, where,
				   "a bucket before any op");
	if (r->n_runs > 0)
		return format_fail(r->in, r->diag, DIAG_LINE_UNEXPECTED, where,
				   "in a baseline it belongs into a run");
	return true;
}

static bool begin_histogram(struct osprof_reader *r, struct str where)
{
	if (!r->in_hist && !build_scheme(r->to, &r->scheme, where))
		return false;
	r->in_hist = true;
	return true;
}

/* --- plain rows, as nearly all lines are --------------------------------------------- */

/* Takes a row whose two numbers have at most a word of digits each, as most have. */
static inline bool take_short(const char *p, size_t *at, size_t end, struct row *ret)
{
	enum { ROOM = 2 * WORD_BYTES + sizeof(" \n") - 1 };
	const char *line = p + *at, *digits;
	unsigned n, n_digits;
	uint64_t index = 0, count = 0;

	if (end - *at < ROOM)
		return false;
	n = word_digits(word_load(line), &index);
	if (n == 0 || !is_gap(line[n]))
		return false;
	digits = line + n + 1;
	n_digits = word_digits(word_load(digits), &count);
	if (n_digits == 0 || digits[n_digits] != '\n')
		return false;
	*ret = (struct row){ .index = (int)index,
			     .count = count,
			     .where = { line, n + 1 + n_digits } };
	*at += n + 1 + n_digits + 1;
	return true;
}

/* Takes a row of two numbers that fit, a blank or tab between, up to the end of the line; the slow
 * path reads everything else. */
static inline bool take_plain(const char *p, size_t *at, size_t end, struct row *ret)
{
	enum { SHORT_INDEX = 9 }; /* as many digits fit into an int */
	size_t line = *at, digits, blank, after;
	bool negative = line < end && p[line] == '-';
	uint64_t index = 0, count = 0;

	digits = line + negative;
	blank = digits_end(p, digits, end, &index);
	if (blank == digits || blank - digits > SHORT_INDEX || blank == end || !is_gap(p[blank]))
		return false;
	digits = blank + 1;
	after = digits_end(p, digits, end, &count);
	if (after == digits || after - digits > SHORT_DIGITS)
		return false;
	*ret = (struct row){ .index = negative ? -(int)index : (int)index,
			     .count = count,
			     .where = { p + line, after - line } };
	if (after < end && p[after] == '\r')
		after++;
	if (after < end && p[after++] != '\n')
		return false;
	*at = after;
	return true;
}

static inline bool take_row(const char *p, size_t *at, size_t end, struct row *ret)
{
	return take_short(p, at, end, ret) || take_plain(p, at, end, ret);
}

bool osprof_read_rows(struct osprof_reader *r, struct cursor *lines)
{
	const char *p = lines->in->bytes.p;
	size_t at = lines->at, end = lines->end;
	struct row row;

	if (!take_row(p, &at, end, &row))
		return true;
	if (!is_in_scope(r, row.where) || !begin_histogram(r, row.where))
		return false;
	do {
		if (!build_bucket(r->to, row.index, row.count, row.where))
			return false;
	} while (take_row(p, &at, end, &row));
	lines->at = at;
	return true;
}

/* --- any row ------------------------------------------------------------------------ */

bool osprof_read_row(struct osprof_reader *r, int index, struct str where)
{
	uint64_t count;

	return is_in_scope(r, where) && osprof_take_u64(r, &count) && osprof_at_end(r) &&
	       begin_histogram(r, where) && build_bucket(r->to, index, count, where);
}

bool osprof_read_under(struct osprof_reader *r)
{
	if (r->scheme.first == BUCKET_NO_FIRST)
		return osprof_fail(r, DIAG_BUCKET_BOUNDS,
				   "the scheme has no lowest bucket: `from` gives it");
	return osprof_read_row(r, bucket_lowest(&r->scheme), r->keyword);
}

bool osprof_read_zero(struct osprof_reader *r)
{
	if (r->scheme.first == BUCKET_NO_FIRST)
		return osprof_fail(r, DIAG_BUCKET_BOUNDS,
				   "the scheme has no lowest bucket: `from` gives it");
	return osprof_read_row(r, r->scheme.first - 1, r->keyword);
}

bool osprof_read_over(struct osprof_reader *r)
{
	if (r->scheme.limit == BUCKET_NO_LIMIT)
		return osprof_fail(r, DIAG_BUCKET_BOUNDS,
				   "the scheme has no open top: `open` gives it");
	return osprof_read_row(r, r->scheme.limit, r->keyword);
}
