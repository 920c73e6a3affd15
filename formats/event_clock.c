/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/event_clock.h"

#include "formats/text.h"

enum {
	DIGITS = 9,
	WHOLE = sizeof("13:19:35") - 1,
	DATE = sizeof("2026-11-22") - 1,
	NAMED_DATE = sizeof("22/Nov/2026") - 1,
};
static const uint64_t billion = 1000000000;
static const decimal_int day = (decimal_int)86400 * 1000000000 * 1000000000;

/* Counts days since 1970.  Years begin in March, so that the leap day is the last of its year. */
static bool days_of(uint64_t year, uint64_t month, uint64_t of_month, int64_t *ret_days)
{
	const int64_t to_1970 = 719468; /* from 0000-03-01 of the Gregorian calendar */

	if (year == 0 || month == 0 || month > 12 || of_month == 0 || of_month > 31)
		return false;
	year -= month < 3;
	month = (month + 9) % 12;
	*ret_days = (int64_t)(365 * year + year / 4 - year / 100 + year / 400 +
			      (153 * month + 2) / 5 + of_month - 1) -
		    to_1970;
	return true;
}

/* "2026-11-22", whatever follows. */
static bool parse_date(struct str s, int64_t *ret_days)
{
	uint64_t year, month, of_month;

	return s.p[4] == '-' && s.p[7] == '-' &&
	       number_u64((struct str){ s.p, 4 }, &year) == NUMBER_OK &&
	       number_u64((struct str){ s.p + 5, 2 }, &month) == NUMBER_OK &&
	       number_u64((struct str){ s.p + 8, 2 }, &of_month) == NUMBER_OK &&
	       days_of(year, month, of_month, ret_days);
}

/* "22/Nov/2026", whatever follows. */
static bool parse_named_date(struct str s, int64_t *ret_days)
{
	static const struct str months = STR_INIT("JanFebMarAprMayJunJulAugSepOctNovDec");
	size_t month = str_find(months, (struct str){ s.p + 3, 3 });
	uint64_t year, of_month;

	return s.p[2] == '/' && s.p[6] == '/' && month % 3 == 0 && month < months.n &&
	       number_u64((struct str){ s.p, 2 }, &of_month) == NUMBER_OK &&
	       number_u64((struct str){ s.p + 7, 4 }, &year) == NUMBER_OK &&
	       days_of(year, month / 3 + 1, of_month, ret_days);
}

/* "10:22:33.123456789" */
static bool parse_clock(struct str s, uint64_t *ret_ns)
{
	double seconds;
	uint64_t fraction;

	if (s.n != WHOLE + 1 + DIGITS || s.p[WHOLE] != '.' ||
	    text_clock((struct str){ s.p, WHOLE }, &seconds) == 0 ||
	    number_u64(str_skip(s, WHOLE + 1), &fraction) != NUMBER_OK)
		return false;
	*ret_ns = (uint64_t)seconds * billion + fraction;
	return true;
}

/* "1795315918.619205410" */
static bool parse_seconds(struct str s, uint64_t *ret_ns)
{
	struct str whole, fraction;
	uint64_t seconds, ns;

	if (!str_cut(s, '.', &whole, &fraction) || fraction.n > DIGITS ||
	    number_u64(whole, &seconds) != NUMBER_OK || number_u64(fraction, &ns) != NUMBER_OK ||
	    seconds > UINT64_MAX / billion - 1)
		return false;
	*ret_ns = seconds * billion + ns;
	return true;
}

bool event_time(struct str time, struct decimal *ret_ns, bool *ret_of_day)
{
	uint64_t ns;
	int64_t days = 0;

	*ret_of_day = str_contains(time, STR(":"));
	if (*ret_of_day && time.n > DATE && time.p[DATE] == ' ') {
		if (!parse_date(time, &days))
			return false;
		*ret_of_day = false;
		time = str_skip(time, DATE + 1);
	}
	if (!parse_clock(time, &ns) && !parse_seconds(time, &ns))
		return false;
	*ret_ns = decimal_from_u64(ns);
	ret_ns->billionths += (decimal_int)days * day;
	return true;
}

/* Takes the zone, such as "+09:00", off the end of a time, in billionths of a ns; "Z" is 0. */
static bool take_zone(struct str *time, decimal_int *ret)
{
	enum { ZONE = sizeof("+09:00") - 1 };
	struct str zone = str_skip(*time, time->n > ZONE ? time->n - ZONE : 0);
	uint64_t hours, minutes;

	*ret = 0;
	if (str_has_suffix(*time, STR("Z"))) {
		time->n--;
		return true;
	}
	if (zone.n < ZONE || (zone.p[0] != '+' && zone.p[0] != '-') || zone.p[3] != ':' ||
	    number_u64((struct str){ zone.p + 1, 2 }, &hours) != NUMBER_OK ||
	    number_u64((struct str){ zone.p + 4, 2 }, &minutes) != NUMBER_OK)
		return false;
	time->n -= ZONE;
	*ret = decimal_from_u64((hours * 60 + minutes) * 60 * billion).billionths;
	if (zone.p[0] == '-')
		*ret = -*ret;
	return true;
}

/* ".885" in ns; empty is 0. */
static bool parse_fraction(struct str s, uint64_t *ret_ns)
{
	*ret_ns = 0;
	if (s.n == 0)
		return true;
	if (s.p[0] != '.' || s.n > 1 + DIGITS || number_u64(str_skip(s, 1), ret_ns) != NUMBER_OK)
		return false;
	for (size_t i = s.n; i < 1 + DIGITS; i++)
		*ret_ns *= 10;
	return true;
}

/* Parses "16:46:16.885" of the given day. */
static bool parse_time_of(int64_t days, struct str clock, struct decimal *ret_ns)
{
	uint64_t fraction;
	double seconds;

	if (text_clock((struct str){ clock.p, WHOLE }, &seconds) != WHOLE ||
	    !parse_fraction(str_skip(clock, WHOLE), &fraction))
		return false;
	*ret_ns = decimal_from_u64((uint64_t)seconds * billion + fraction);
	ret_ns->billionths += (decimal_int)days * day;
	return true;
}

bool event_timestamp(struct str time, struct decimal *ret_ns)
{
	int64_t days;
	decimal_int zone;

	if (!take_zone(&time, &zone) || time.n < DATE + 1 + WHOLE || time.p[DATE] != 'T' ||
	    !parse_date(time, &days) || !parse_time_of(days, str_skip(time, DATE + 1), ret_ns))
		return false;
	ret_ns->billionths -= zone;
	return true;
}

size_t event_date_time(struct str s, struct decimal *ret_ns)
{
	size_t n = DATE + 1 + WHOLE;
	int64_t days;

	if (s.n < n || s.p[DATE] != ' ' || !parse_date(s, &days))
		return 0;
	if (n + 1 < s.n && s.p[n] == '.' && is_digit(s.p[n + 1])) {
		for (n++; n < s.n && is_digit(s.p[n]); n++)
			;
	}
	return parse_time_of(days, (struct str){ s.p + DATE + 1, n - DATE - 1 }, ret_ns) ? n : 0;
}

bool event_log_time(struct str time, struct decimal *ret_ns)
{
	int64_t days;

	return time.n >= NAMED_DATE + 1 + WHOLE && time.p[NAMED_DATE] == ':' &&
	       parse_named_date(time, &days) &&
	       parse_time_of(days, str_skip(time, NAMED_DATE + 1), ret_ns);
}

enum event_order event_clock_next(struct event_clock *c, struct str time, struct decimal *ret_ns)
{
	enum event_order order = EVENT_FORTH;
	bool of_day;

	if (!event_time(time, ret_ns, &of_day))
		return EVENT_NO_TIME;
	ret_ns->billionths += c->days;
	if (c->has_last && of_day && ret_ns->billionths + day / 2 < c->last) {
		c->days += day;
		ret_ns->billionths += day;
	}
	if (c->has_last && ret_ns->billionths < c->last)
		order = of_day ? EVENT_BACK_OF_DAY : EVENT_BACK;
	c->last = ret_ns->billionths;
	c->has_last = true;
	return order;
}
