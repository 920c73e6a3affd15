/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "watch/store/store_names.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/platform.h"
#include "base/scan.h"

static const char suffix[] = ".osprof";

void store_name(char to[STORE_NAME_BYTES], struct span span)
{
	int64_t start = (int64_t)llround(span.start * 1000),
		end = (int64_t)llround(span.end * 1000);
	int64_t length = end - start;
	time_t seconds = (time_t)(start / 1000);
	char second[32], part[8] = "", length_part[8] = "";
	struct tm tm;

	(void)gmtime_r(&seconds, &tm);
	(void)strftime(second, sizeof(second), "%Y%m%dT%H%M%S", &tm);
	if (start % 1000 != 0)
		(void)snprintf(part, sizeof(part), ".%03d", (int)(start % 1000));
	if (length % 1000 != 0)
		(void)snprintf(length_part, sizeof(length_part), ".%03d", (int)(length % 1000));
	(void)snprintf(to, STORE_NAME_BYTES, "%s%sZ-%lld%ss%s", second, part,
		       (long long)(length / 1000), length_part, suffix);
}

static bool take_digits(struct cursor *c, size_t n, int *ret)
{
	struct str rest = cursor_rest(c);

	*ret = 0;
	for (size_t i = 0; i < n; i++) {
		if (i >= rest.n || !is_digit(rest.p[i]))
			return false;
		*ret = *ret * 10 + (rest.p[i] - '0');
	}
	c->at += n;
	return true;
}

/* ".250" */
static bool take_thousandths(struct cursor *c, double *to)
{
	int n;

	if (!scan_char(c, '.'))
		return true;
	if (!take_digits(c, 3, &n))
		return false;
	*to += n / 1000.;
	return true;
}

bool store_name_parse(const char *name, struct span *ret)
{
	struct input in = { .bytes = str_from(name) };
	struct cursor c = cursor_on(&in);
	struct tm tm = { .tm_sec = 0 };
	uint64_t whole;
	double length;

	if (!take_digits(&c, 4, &tm.tm_year) || !take_digits(&c, 2, &tm.tm_mon) ||
	    !take_digits(&c, 2, &tm.tm_mday) || !scan_char(&c, 'T') ||
	    !take_digits(&c, 2, &tm.tm_hour) || !take_digits(&c, 2, &tm.tm_min) ||
	    !take_digits(&c, 2, &tm.tm_sec))
		return false;
	tm.tm_year -= 1900;
	tm.tm_mon -= 1;
	ret->start = (double)platform_seconds(&tm);
	if (!take_thousandths(&c, &ret->start) || !scan_char(&c, 'Z') || !scan_char(&c, '-') ||
	    !scan_u64(&c, &whole) || whole > UINT32_MAX)
		return false;
	length = (double)whole;
	if (!take_thousandths(&c, &length) || !scan_char(&c, 's'))
		return false;
	ret->end = ret->start + length;
	return length > 0 && str_eq(cursor_rest(&c), str_from(suffix));
}
