/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "program/watching.h"

#include <math.h>

#include "analyze/watch/watch.h"
#include "base/scan.h"

static const double minute = 60, hour = 3600, day = 86400;

const struct watching watching_default = {
	.every = 10,
	.lateness = -1,
	.false_alarms = 1 / (30 * 86400.),
	.factor = 1,
	.max_operations = 4096,
	.keep_bytes = 256 << 20,
};

/* Parses "250ms", "10s", "5m", "1h" or "30d"; "10" is in seconds. */
static bool parse_duration(struct str s, double *ret)
{
	static const struct {
		struct str suffix;
		double seconds;
	} units[] = { { STR_INIT("ms"), 1e-3 }, { STR_INIT("min"), 60 }, { STR_INIT("s"), 1 },
		      { STR_INIT("m"), 60 },	{ STR_INIT("h"), 3600 }, { STR_INIT("d"), 86400 } };
	double scale = 1;

	for (size_t i = 0; i < COUNT_OF(units); i++) {
		if (str_has_suffix(s, units[i].suffix)) {
			s.n -= units[i].suffix.n;
			scale = units[i].seconds;
			break;
		}
	}
	if (s.n == 0 || number_f64(s, ret) != NUMBER_OK || !(*ret >= 0) || isinf(*ret))
		return false;
	*ret *= scale;
	return true;
}

const char *take_duration(double *to, double min, const char *arg)
{
	double seconds;

	if (!parse_duration(str_from(arg), &seconds) || seconds < min)
		return "a time such as 10s, 5m, 1h or 30d";
	*to = seconds;
	return NULL;
}

/* Parses "10s:6h,5m:7d,1h:400d"; each length must be a multiple of the one before. */
const char *take_tiers(struct watching *w, const char *arg)
{
	static const char expected[] =
		"LENGTH:AGE[,LENGTH:AGE...], at most 6, each LENGTH a multiple of the one before";
	struct str rest = str_from(arg), one, length, age;

	w->n_tiers = 0;
	while (rest.n > 0) {
		struct tier *t = &w->tier[w->n_tiers];

		if (!str_cut(rest, ',', &one, &rest)) {
			one = rest;
			rest.n = 0;
		}
		if (w->n_tiers == MAX_TIERS || !str_cut(one, ':', &length, &age) ||
		    !parse_duration(length, &t->length) || !parse_duration(age, &t->age) ||
		    !(t->length > 0))
			return expected;
		if (w->n_tiers > 0 && (t->length <= t[-1].length || t->age < t[-1].age ||
				       fabs(remainder(t->length, t[-1].length)) > 1e-6))
			return expected;
		w->n_tiers++;
	}
	return w->n_tiers > 0 ? NULL : expected;
}

/* Parses "1/30d": the number allowed in that time, for all operations together. */
const char *take_false_alarms(struct watching *w, const char *arg)
{
	static const char expected[] = "NUMBER/TIME, such as 1/30d";
	struct str number, time;
	double n, seconds;

	if (!str_cut(str_from(arg), '/', &number, &time) || number_f64(number, &n) != NUMBER_OK ||
	    !(n > 0) || isinf(n) || time.n == 0)
		return expected;
	/* "1/d" means one per day. */
	if (!is_digit(time.p[0])) {
		seconds = str_eq(time, STR("d"))   ? day
			  : str_eq(time, STR("h")) ? hour
			  : str_eq(time, STR("m")) ? minute
						   : 0;
	} else if (!parse_duration(time, &seconds)) {
		return expected;
	}
	if (!(seconds > 0))
		return expected;
	w->false_alarms = n / seconds;
	return NULL;
}

const char *take_keep_size(struct watching *w, const char *arg)
{
	static const struct {
		char suffix;
		double bytes;
	} units[] = { { 'K', 1 << 10 }, { 'M', 1 << 20 }, { 'G', 1 << 30 } };
	struct str s = str_from(arg);
	double bytes, scale = 1;

	for (size_t i = 0; i < COUNT_OF(units) && s.n > 0; i++) {
		if (s.p[s.n - 1] == units[i].suffix) {
			scale = units[i].bytes;
			s.n--;
			break;
		}
	}
	if (number_f64(s, &bytes) != NUMBER_OK || !(bytes * scale >= 1) || isinf(bytes))
		return "a size such as 256M or 2G";
	w->keep_bytes = fmin(bytes * scale, 1e18);
	return NULL;
}
