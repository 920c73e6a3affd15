/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parses the parts of lines of osprof's own format: numbers, names, schemes. */
#include "formats/general/osprof_reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/quoted.h"
#include "base/xalloc.h"

bool osprof_fail(struct osprof_reader *r, enum diag_code code, const char *what)
{
	struct str where = osprof_rest(r);

	return format_fail(r->in, r->diag, code, where.n > 0 ? where : r->keyword, "%s", what);
}

bool osprof_take_any_u64(struct osprof_reader *r, uint64_t *ret)
{
	struct cursor before = r->line;
	struct str word;
	enum number what;

	if (!scan_word(&r->line, &word))
		return osprof_fail(r, DIAG_NUMBER_BAD, "expected a count");
	what = number_u64(word, ret);
	if (what == NUMBER_OK)
		return true;
	r->line = before;
	if (what == NUMBER_TOO_LARGE)
		return osprof_fail(r, DIAG_COUNT_OVERFLOW, "more than 2^64-1");
	return osprof_fail(r, DIAG_NUMBER_BAD, "expected a count");
}

bool osprof_take_any_f64(struct osprof_reader *r, double *ret)
{
	struct cursor before = r->line;
	double v;

	scan_blanks(&r->line);
	if (scan_f64(&r->line, &v) && cursor_at_word_end(&r->line)) {
		*ret = v;
		return true;
	}
	r->line = before;
	return osprof_fail(r, DIAG_NUMBER_BAD, "expected a number");
}

static bool take_int(struct osprof_reader *r, int *ret)
{
	struct cursor before = r->line;

	scan_blanks(&r->line);
	if (scan_int(&r->line, ret))
		return true;
	r->line = before;
	return osprof_fail(r, DIAG_NUMBER_BAD, "expected a whole number");
}

bool osprof_take_name(struct osprof_reader *r, struct str *ret)
{
	struct str s = osprof_rest(r);

	if (s.n == 0)
		return osprof_fail(r, DIAG_NAME_BAD, "expected a name");
	if (!quoted_parse(r->arena, s, ret))
		return osprof_fail(
			r, DIAG_NAME_BAD,
			"expected a quote at the end, and within \\\\, \\\", \\n or \\xHH");
	osprof_skip_rest(r);
	return true;
}

bool osprof_take_positive(struct osprof_reader *r, double *ret)
{
	struct str where = osprof_rest(r);

	if (!osprof_take_f64(r, ret))
		return false;
	if (*ret > 0 && isfinite(*ret))
		return true;
	return format_fail(r->in, r->diag, DIAG_NUMBER_RANGE, where, "expected more than 0");
}

/* --- bucket schemes --------------------------------------------------------- */

static bool take_resolution(struct osprof_reader *r, unsigned *ret)
{
	struct str where = osprof_rest(r);
	uint64_t v;

	if (!osprof_take_u64(r, &v))
		return false;
	if (v < 1 || v > BUCKET_MAX_RESOLUTION)
		return format_fail(r->in, r->diag, DIAG_SCHEME_BAD, where,
				   "expected a resolution from 1 to %d", BUCKET_MAX_RESOLUTION);
	*ret = (unsigned)v;
	return true;
}

static bool take_edges(struct osprof_reader *r, struct bucket_scheme *ret)
{
	double *edge = NULL;
	size_t n = 0, cap = 0;

	while (osprof_rest(r).n > 0) {
		struct str where = osprof_rest(r);
		double v;

		if (!osprof_take_f64(r, &v) || (n > 0 && !(v > edge[n - 1])) || !isfinite(v)) {
			free(edge);
			return format_fail(r->in, r->diag, DIAG_SCHEME_BAD, where,
					   "expected ascending edges");
		}
		edge = xgrow(edge, &cap, n + 1, sizeof(*edge));
		edge[n++] = v;
	}
	if (n == 0)
		return osprof_fail(r, DIAG_SCHEME_BAD, "expected ascending edges");
	*ret = bucket_edges(memcpy(arena_make(r->arena, double, n), edge, n * sizeof(*edge)), n);
	free(edge);
	return true;
}

bool osprof_take_scheme(struct osprof_reader *r, struct bucket_scheme *ret)
{
	struct bucket_scheme s;
	double origin, step;
	struct str kind;

	if (!scan_word(&r->line, &kind))
		return osprof_fail(r, DIAG_SCHEME_BAD, "expected log2, linear, loglinear or edges");
	if (str_eq(kind, STR("edges")))
		return take_edges(r, ret);
	if (str_eq(kind, STR("log2"))) {
		s = bucket_log2(1);
		if (!take_resolution(r, &s.resolution))
			return false;
	} else if (str_eq(kind, STR("linear"))) {
		if (!osprof_take_f64(r, &origin) || !osprof_take_positive(r, &step))
			return false;
		if (!isfinite(origin))
			return osprof_fail(r, DIAG_SCHEME_BAD, "expected a finite origin");
		s = bucket_linear(origin, step);
	} else if (str_eq(kind, STR("loglinear"))) {
		unsigned resolution = 1;

		if (!take_resolution(r, &resolution) || !osprof_take_positive(r, &step))
			return false;
		if ((resolution & (resolution - 1)) != 0)
			return osprof_fail(r, DIAG_SCHEME_BAD,
					   "expected a power of two as resolution");
		s = bucket_log_linear(resolution, step);
	} else {
		return format_fail(r->in, r->diag, DIAG_SCHEME_BAD, kind,
				   "expected log2, linear, loglinear or edges");
	}
	*ret = s;
	return true;
}

/* Takes the optional numbers of the lowest bucket and of the open top bucket after a scheme. */
bool osprof_take_range(struct osprof_reader *r, struct bucket_scheme *s)
{
	enum { FURTHEST = 1 << 24 };
	struct str word, where = osprof_rest(r);

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
