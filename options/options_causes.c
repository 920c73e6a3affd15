/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options of osprof causes. */
#include <math.h>
#include <string.h>

#include "base/scan.h"
#include "options/options_taken.h"
#include "profile/amount.h"

const char *const cause_methods[] = { "added", "time", "maxcount", NULL };
const char *const causes_sections[] = { "causes", "tree", "values", "meanwhile", NULL };

static bool take_count(const char *arg, uint64_t max, uint64_t *ret)
{
	return number_u64(str_from(arg), ret) == NUMBER_OK && *ret >= 1 && *ret <= max;
}

const char *take_peak(struct options *o, const char *arg)
{
	struct causes_options *c = &o->causes;
	uint64_t n;

	if (!take_count(arg, 1000, &n))
		return "the number of a peak, from 1";
	c->question.peak = (size_t)n;
	return NULL;
}

const char *take_latencies(struct options *o, const char *arg)
{
	struct causes_options *c = &o->causes;
	static const char expected[] = "FROM:TO with units, a side may be missing, such as 2ms:";
	struct amount low = { NAN, UNIT_NS }, high = { NAN, UNIT_NS };
	struct str from, to;

	if (!str_cut(str_from(arg), ':', &from, &to) || from.n + to.n == 0)
		return expected;
	if ((from.n > 0 && !amount_parse(from, &low)) || (to.n > 0 && !amount_parse(to, &high)))
		return expected;
	if (low.unit == UNIT_UNKNOWN || high.unit == UNIT_UNKNOWN)
		return expected;
	c->question.range = true;
	c->question.low = from.n > 0 ? amount_in(low, UNIT_NS, 0) : 0;
	c->question.high = to.n > 0 ? amount_in(high, UNIT_NS, 0) : HUGE_VAL;
	return c->question.low < c->question.high ? NULL : expected;
}

const char *take_against(struct options *o, const char *arg)
{
	struct causes_options *c = &o->causes;
	uint64_t n;

	if (strcmp(arg, "faster") == 0)
		c->question.against = CHOSEN_FASTER;
	else if (strcmp(arg, "others") == 0)
		c->question.against = CHOSEN_OTHERS;
	else if (strcmp(arg, "none") == 0)
		c->question.against = CHOSEN_NONE;
	else if (!take_count(arg, 1000, &n))
		return "the number of a peak, faster, others or none";
	else {
		c->question.against = CHOSEN_PEAK;
		c->question.against_peak = (size_t)n;
	}
	return NULL;
}

static bool take_end(struct str s, struct str *ret_name, unsigned *ret_argument)
{
	size_t colon = str_find_last(s, STR(":"));
	uint64_t n;

	if (colon == 0 || colon == s.n || number_u64(str_skip(s, colon + 1), &n) != NUMBER_OK ||
	    n < 1 || n > 100)
		return false;
	*ret_name = (struct str){ s.p, colon };
	*ret_argument = (unsigned)n;
	return true;
}

const char *take_link(struct options *o, const char *arg)
{
	struct causes_options *c = &o->causes;
	struct str submit, serve;

	if (str_cut(str_from(arg), '=', &submit, &serve) &&
	    take_end(submit, &c->link.submit, &c->link.submit_argument) &&
	    take_end(serve, &c->link.serve, &c->link.serve_argument))
		return NULL;
	return "SUBMIT:I=SERVE:J (argument I of SUBMIT equals J of SERVE)";
}

const char *take_overhead(struct options *o, const char *arg)
{
	struct causes_options *c = &o->causes;
	struct amount a;
	double ns;

	c->overhead_auto = strcmp(arg, "auto") == 0;
	if (c->overhead_auto)
		return NULL;
	if (!amount_parse(str_from(arg), &a) || !((ns = amount_in(a, UNIT_NS, 0)) >= 0) || ns > 1e9)
		return "a time a call, such as 120ns, or auto";
	c->overhead = (int64_t)ns;
	return NULL;
}

const char *take_percentage(struct options *o, const char *arg)
{
	struct causes_options *c = &o->causes;
	double v;

	if (number_f64(str_from(arg), &v) != NUMBER_OK || !(v >= 0 && v <= 1))
		return "a number from 0 to 1";
	c->rules.percentage = v;
	return NULL;
}
