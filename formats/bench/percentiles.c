/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/bench/percentiles.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* --- lines ----------------------------------------------------------------------- */

static const bool is_between[UCHAR_MAX + 1] = {
	[' '] = true, ['\t'] = true, [','] = true, ['"'] = true, ['\r'] = true,
};

/* Takes the next word; commas and quotes count as blanks. */
static bool next_word(struct str *rest, struct str *ret)
{
	size_t n = 0, skipped = 0;

	while (skipped < rest->n && is_between[(unsigned char)rest->p[skipped]])
		skipped++;
	*rest = str_skip(*rest, skipped);
	while (n < rest->n && !is_between[(unsigned char)rest->p[n]])
		n++;
	*ret = (struct str){ rest->p, n };
	*rest = str_skip(*rest, n);
	return n > 0;
}

bool percentiles_header(struct str line)
{
	static const char *const titles[] = { "Value", "Percentile", "TotalCount" };
	struct str word;

	for (size_t i = 0; i < COUNT_OF(titles); i++) {
		if (!next_word(&line, &word) || !str_eq(word, str_from(titles[i])))
			return false;
	}
	return true;
}

struct row {
	double value;
	struct str text; /* as printed */
	uint64_t total;
};

static double last_digit(struct str number)
{
	const char *point = memchr(number.p, '.', number.n);
	size_t n = point != NULL ? (size_t)(number.p + number.n - point) - 1 : 0;

	return pow(10, -(double)n);
}

static bool is_share(struct str s)
{
	double share;

	return number_f64(s, &share) == NUMBER_OK && share >= 0 && share <= 1;
}

/* Parses a row: a value, a share, a count, perhaps 1/(1-share), and nothing else. */
static bool scan_row(struct str line, struct row *ret, struct str *ret_value)
{
	struct str value, share, total, inverse, more;
	double ignored;

	if (!next_word(&line, &value) || !next_word(&line, &share) || !next_word(&line, &total))
		return false;
	if (next_word(&line, &inverse) &&
	    ((number_f64(inverse, &ignored) != NUMBER_OK && !str_eq(inverse, STR("Infinity"))) ||
	     next_word(&line, &more)))
		return false;
	if (number_f64(value, &ret->value) != NUMBER_OK || !isfinite(ret->value) ||
	    ret->value < 0 || !is_share(share) || number_u64(total, &ret->total) != NUMBER_OK)
		return false;
	ret->text = value;
	*ret_value = value;
	return true;
}

bool percentiles_row(struct str line)
{
	struct str value;
	struct row row;

	return scan_row(line, &row, &value);
}

/* --- reading ----------------------------------------------------------------------- */

struct reader {
	struct lines *lines;
	struct builder *to;
	bool any;
	struct row last;
	double low;	/* lower edge of the current bucket */
	uint64_t count; /* calls in it */
	struct str where;
};

static bool flush_bucket(struct reader *r)
{
	double high = r->last.value;

	if (r->count == 0)
		return true;
	build_approximate(r->to);
	if (high == 0) /* zeros only */
		high = last_digit(r->last.text);
	if (!build_range(r->to, r->low, high, r->count, r->where))
		return false;
	r->count = 0;
	return true;
}

static bool percentiles_add_row(struct reader *r, const struct row *row, struct str where)
{
	if (r->any && row->value < r->last.value)
		return format_fail(r->lines->in, r->lines->diag, DIAG_BUCKET_ORDER, where,
				   "%.12g after %.12g", row->value, r->last.value);
	if (r->any && row->total < r->last.total)
		return format_fail(r->lines->in, r->lines->diag, DIAG_BUCKET_ORDER, where,
				   "calls up to here are fewer than in the row above");
	/* Zeros are merged with the next row: a bucket cannot hold just 0. */
	if (row->value > r->last.value && r->last.value > 0) {
		if (!flush_bucket(r))
			return false;
		r->low = r->last.value;
	}
	if (row->total > r->last.total)
		r->where = where;
	r->count += row->total - r->last.total;
	r->last = *row;
	r->any = true;
	return true;
}

/* Finds the number after the equals sign in "[Mean    =        67.81, ...". */
static bool footer_number(struct str line, const char *title, struct str *ret)
{
	const char *at = memmem(line.p, line.n, title, strlen(title));
	struct str head, rest;

	if (at == NULL || !str_cut(str_skip(line, (size_t)(at - line.p)), '=', &head, &rest))
		return false;
	rest = str_trim(rest);
	for (size_t n = 0; n <= rest.n; n++) {
		if (n == rest.n || rest.p[n] == ',' || rest.p[n] == ']') {
			*ret = str_trim((struct str){ rest.p, n });
			return true;
		}
	}
	return false;
}

/* Reads a footer: the mean comes before the number of calls. */
static bool read_footer(struct reader *r, struct str line, struct decimal *mean, bool *has_mean)
{
	struct str text;
	struct decimal total;
	uint64_t count;
	double max;

	if (footer_number(line, "[Mean", &text))
		*has_mean = number_decimal(text, mean) == NUMBER_OK;
	if (footer_number(line, "[Max", &text) && number_f64(text, &max) == NUMBER_OK &&
	    isfinite(max))
		build_max(r->to, max);
	if (!footer_number(line, "Total count", &text))
		return true;
	if (number_u64(text, &count) != NUMBER_OK)
		return format_fail(r->lines->in, r->lines->diag, DIAG_NUMBER_BAD, text,
				   "expected a whole number");
	if (!build_count(r->to, count, text))
		return false;
	if (!*has_mean)
		return true;
	if (!decimal_times(*mean, count, &total))
		return format_fail(r->lines->in, r->lines->diag, DIAG_TOTAL_OVERFLOW, text,
				   "mean times calls");
	build_rounded_totals(r->to);
	return build_total(r->to, total, text);
}

static bool is_footer(struct str line)
{
	return str_has_prefix(line, STR("#[Mean")) || str_has_prefix(line, STR("#[Max")) ||
	       str_has_prefix(line, STR("#[Buckets"));
}

/* Reports an invalid row among the rows. */
static bool bad_row(struct reader *r, struct str line)
{
	struct str end = { line.p + line.n, 0 };

	return lines_fail(r->lines, DIAG_LINE_UNEXPECTED, r->lines->cut ? end : line,
			  "expected a value, a share from 0 to 1 and a count");
}

static bool begins_with_number(struct str line)
{
	return str_begins_with_digit(line) || str_has_prefix(line, STR("-"));
}

/* Reads rows up to the last one, whose share is 1. */
static bool percentiles_read_rows(struct reader *r)
{
	struct decimal mean = { 0 };
	bool has_mean = false, footer = false;

	while (lines_next(r->lines)) {
		struct str line = r->lines->text, value;
		struct row row;

		if (line.n == 0)
			continue;
		if (is_footer(line)) {
			footer = true;
			if (!read_footer(r, line, &mean, &has_mean))
				return false;
		} else if (!footer && scan_row(line, &row, &value)) {
			if (!percentiles_add_row(r, &row, value))
				return false;
		} else if (!footer && begins_with_number(line)) {
			return bad_row(r, line);
		} else {
			lines_again(r->lines);
			break;
		}
	}
	return flush_bucket(r);
}

bool percentiles_read(struct lines *lines, struct builder *to, struct str header)
{
	struct reader r = { .lines = lines, .to = to, .where = header };

	return build_histogram(to, header) && percentiles_read_rows(&r);
}
