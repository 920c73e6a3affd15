/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/storage/lustre_stats.h"

static bool is_mapping(struct str line)
{
	return str_contains(line, STR("{ samples:"));
}

bool lustre_is_counter(struct str line)
{
	return is_mapping(line) || str_contains(line, STR(" samples ["));
}

static bool expected_samples(const struct lines *l)
{
	return lines_fail(l, DIAG_LINE_UNEXPECTED, l->text,
			  "expected samples, a unit, and the least, the most and the sum");
}

struct words {
	struct str count, unit, min, max, sum;
};

/* Splits "open  15 samples [usecs] 12 3341 8134 5123412"; the numbers after the unit are either all
 * present or all missing. */
static bool lustre_stats_split_row(struct cursor c, struct lustre_counter *ret, struct words *w)
{
	struct str word;

	if (!scan_word(&c, &ret->of.name) || !scan_word(&c, &w->count) || !scan_word(&c, &word) ||
	    !scan_word(&c, &w->unit) || w->unit.n < 2 || !str_has_suffix(w->unit, STR("]")))
		return false;
	w->unit = (struct str){ w->unit.p + 1, w->unit.n - 2 };
	ret->has_sum = scan_word(&c, &w->min);
	return !ret->has_sum || (scan_word(&c, &w->max) && scan_word(&c, &w->sum));
}

/* Splits "read:  { samples: 9, unit: usecs, min: 44, max: 579, sum: 3892, sumsq: 67 }". */
static bool split_mapping(struct str line, struct lustre_counter *ret, struct words *w)
{
	struct str rest, pair, key, value;

	if (!str_cut(line, ':', &ret->of.name, &rest) || !str_has_suffix(line, STR("}")) ||
	    !str_cut(rest, '{', &pair, &rest))
		return false;
	while (str_cut(rest, ',', &pair, &rest) || str_cut(rest, '}', &pair, &rest)) {
		if (!str_cut(pair, ':', &key, &value))
			return false;
		key = str_trim(key);
		value = str_trim(value);
		if (str_eq(key, STR("samples")))
			w->count = value;
		else if (str_eq(key, STR("unit")))
			w->unit = value;
		else if (str_eq(key, STR("min")))
			w->min = value;
		else if (str_eq(key, STR("max")))
			w->max = value;
		else if (str_eq(key, STR("sum")))
			w->sum = value;
		else if (str_eq(key, STR("hist")))
			break;
	}
	ret->has_sum = w->sum.n > 0;
	return w->count.n > 0;
}

bool lustre_read_counter(const struct lines *l, struct lustre_counter *ret)
{
	struct words w = { .min = { l->text.p, 0 } };

	*ret = (struct lustre_counter){ .has_sum = false };
	if (is_mapping(l->text) ? !split_mapping(l->text, ret, &w)
				: !lustre_stats_split_row(cursor_at(l->in, l->text), ret, &w))
		return expected_samples(l);
	ret->unit = w.unit;
	ret->of.count_at = w.count;
	ret->of.total_at = w.sum;
	if (!lines_count(l, w.count, &ret->of.count, "expected a number of samples"))
		return false;
	if (!ret->has_sum)
		return true;
	return (number_decimal(w.min, &ret->of.min) == NUMBER_OK &&
		number_decimal(w.max, &ret->of.max) == NUMBER_OK &&
		decimal_parse(w.sum, &ret->of.total)) ||
	       expected_samples(l);
}
