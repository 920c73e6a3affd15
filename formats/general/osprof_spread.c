/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How hosts differ, in osprof's own format: the number of hosts, the sum and the sum of squares of
 * their values, and the most extreme hosts by their number among the `host` statements.
 *
 * 	spread mean 3 54525952 1007242848 extreme 2:17825792 1:18350080 3:18350080
 */
#include "formats/general/osprof_reader.h"
#include "profile/builder/builder.h"
#include "profile/spread.h"

static bool take_feature(struct osprof_reader *r, int *ret)
{
	struct str where = osprof_rest(r), word;

	if (scan_word(&r->line, &word)) {
		for (int f = 0; f < N_SPREADS; f++) {
			if (!str_eq(word, str_from(spread_names[f])))
				continue;
			*ret = f;
			scan_blanks(&r->line);
			return true;
		}
	}
	return format_fail(r->in, r->diag, DIAG_NAME_BAD, where.n > 0 ? where : r->keyword,
			   "expected shift, mean, tail or calls");
}

static bool take_sum(struct osprof_reader *r, struct decimal *ret)
{
	struct cursor before = r->line;
	struct str word;

	scan_blanks(&r->line);
	if (scan_word(&r->line, &word) && decimal_parse(word, ret)) {
		scan_blanks(&r->line);
		return true;
	}
	r->line = before;
	return osprof_fail(r, DIAG_NUMBER_BAD, "expected a sum");
}

/* "3:-1048576": the third host, and its value. */
static bool take_extreme(struct osprof_reader *r, struct str word, struct extreme *ret)
{
	const int64_t max = (int64_t)SPREAD_OCTAVES << SPREAD_BITS;
	struct decimal value;
	struct str host, rest;
	uint64_t number;

	if (!str_cut(word, ':', &host, &rest) || number_u64(host, &number) != NUMBER_OK ||
	    !decimal_parse(rest, &value) || value.billionths % 1000000000 != 0)
		return format_fail(r->in, r->diag, DIAG_NUMBER_BAD, word,
				   "expected the number of a host, a colon and a whole number");
	if (number < 1 || number > r->n_hosts)
		return format_fail(r->in, r->diag, DIAG_NUMBER_RANGE, word,
				   "%zu hosts are named before it", r->n_hosts);
	value.billionths /= 1000000000;
	if (value.billionths >= max || value.billionths <= -max)
		return format_fail(r->in, r->diag, DIAG_NUMBER_RANGE, word,
				   "expected less than %d octaves", SPREAD_OCTAVES);
	*ret = (struct extreme){ (int64_t)value.billionths,
				 build_host_at(r->to, (size_t)number - 1) };
	return true;
}

static bool take_extremes(struct osprof_reader *r, struct extreme *room, size_t *ret_n)
{
	struct str word, where = osprof_rest(r);

	if (!scan_word(&r->line, &word) || !str_eq(word, STR("extreme")))
		return format_fail(r->in, r->diag, DIAG_LINE_UNEXPECTED,
				   where.n > 0 ? where : r->keyword, "expected `extreme`");
	for (*ret_n = 0; scan_word(&r->line, &word); ++*ret_n) {
		if (*ret_n == SPREAD_KEPT)
			return format_fail(r->in, r->diag, DIAG_LINE_UNEXPECTED, word,
					   "expected %d hosts at most", SPREAD_KEPT);
		if (!take_extreme(r, word, &room[*ret_n]))
			return false;
	}
	return true;
}

bool osprof_read_spread(struct osprof_reader *r)
{
	struct str where = osprof_rest(r);
	struct extreme room[SPREAD_KEPT];
	struct host_spread s = { .extreme = room };
	int feature = 0;

	if (!r->by_host)
		return format_fail(r->in, r->diag, DIAG_LINE_UNEXPECTED, r->keyword,
				   "the head does not say `by-host`");
	if (!take_feature(r, &feature) || !osprof_take_u64(r, &s.n) || !take_sum(r, &s.sum) ||
	    !take_sum(r, &s.squares) || !take_extremes(r, room, &s.n_extremes))
		return false;
	if ((r->spreads & 1U << feature) != 0)
		return format_fail(r->in, r->diag, DIAG_CONFLICTING_VALUES, r->keyword,
				   "given a second time");
	if (s.n < 1 || s.n > r->n_hosts || !spread_is_possible(&s))
		return format_fail(r->in, r->diag, DIAG_CONFLICTING_VALUES, where,
				   "no %zu hosts can have these numbers", r->n_hosts);
	r->spreads |= 1U << feature;
	build_spread(r->to, feature, &s);
	return true;
}
