/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/unit.h"

#include <math.h>

static const char *const names[] = {
	[UNIT_UNKNOWN] = "unknown",
	[UNIT_PLAIN] = "plain",
	[UNIT_CYCLES] = "cycles",
	[UNIT_NS] = "ns",
	[UNIT_US] = "us",
	[UNIT_MS] = "ms",
	[UNIT_S] = "s",
};

static const struct {
	struct str word;
	enum unit unit;
} words[] = {
	{ STR_INIT("unknown"), UNIT_UNKNOWN }, { STR_INIT("plain"), UNIT_PLAIN },
	{ STR_INIT("cycles"), UNIT_CYCLES },   { STR_INIT("ns"), UNIT_NS },
	{ STR_INIT("nsec"), UNIT_NS },	       { STR_INIT("nsecs"), UNIT_NS },
	{ STR_INIT("nanoseconds"), UNIT_NS },  { STR_INIT("us"), UNIT_US },
	{ STR_INIT("usec"), UNIT_US },	       { STR_INIT("usecs"), UNIT_US },
	{ STR_INIT("microseconds"), UNIT_US }, { STR_INIT("\xc2\xb5s"), UNIT_US },
	{ STR_INIT("\xce\xbcs"), UNIT_US },    { STR_INIT("ms"), UNIT_MS },
	{ STR_INIT("msec"), UNIT_MS },	       { STR_INIT("msecs"), UNIT_MS },
	{ STR_INIT("milliseconds"), UNIT_MS }, { STR_INIT("s"), UNIT_S },
	{ STR_INIT("sec"), UNIT_S },	       { STR_INIT("secs"), UNIT_S },
	{ STR_INIT("seconds"), UNIT_S },
};

bool unit_parse(struct str s, enum unit *ret)
{
	for (size_t i = 0; i < COUNT_OF(words); i++) {
		if (str_eq(s, words[i].word)) {
			*ret = words[i].unit;
			return true;
		}
	}
	return false;
}

const char *unit_name(enum unit u)
{
	return names[u];
}

bool unit_is_time(enum unit u)
{
	return u >= UNIT_NS;
}

double unit_impossible_from(enum unit u)
{
	/* A thousandth of the unit is about 2^10 times as long: the bucket's lower edge. */
	static const double from[] = {
		[UNIT_UNKNOWN] = 0x1p63, [UNIT_PLAIN] = HUGE_VAL, [UNIT_CYCLES] = 0x1p63,
		[UNIT_NS] = 0x1p63,	 [UNIT_US] = 0x1p53,	  [UNIT_MS] = 0x1p43,
		[UNIT_S] = 0x1p33
	};

	return from[u];
}

/* Removes "_hist" and the like, which says what a map holds: "usec_hist", "wait_us_hist". */
static struct str without_kind(struct str name)
{
	static const struct str kinds[] = { STR_INIT("_hist"), STR_INIT("_histogram"),
					    STR_INIT("_dist") };

	for (size_t i = 0; i < COUNT_OF(kinds); i++) {
		if (str_has_suffix(name, kinds[i]))
			return (struct str){ name.p, name.n - kinds[i].n };
	}
	return name;
}

enum unit unit_in_name(struct str name)
{
	struct str word = name = without_kind(name);
	enum unit unit;

	for (size_t i = name.n; i > 0; i--) {
		char c = name.p[i - 1];

		if (c == '_' || c == '-' || c == '.' || c == ' ' || c == '(') {
			word = str_skip(name, i);
			break;
		}
	}
	if (word.n > 0 && word.p[word.n - 1] == ')')
		word.n--;
	if (!unit_parse(word, &unit) || unit == UNIT_PLAIN)
		return UNIT_UNKNOWN;
	/* A map named @s is more often a scratch map than one of seconds. */
	return word.n == 1 && word.n == name.n ? UNIT_UNKNOWN : unit;
}

uint64_t unit_nanoseconds(enum unit u)
{
	static const uint64_t ns[] = {
		[UNIT_NS] = 1, [UNIT_US] = 1000, [UNIT_MS] = 1000000, [UNIT_S] = 1000000000
	};

	return unit_is_time(u) ? ns[u] : 0;
}

bool unit_seconds(enum unit u, double hz, double *ret)
{
	if (u == UNIT_CYCLES ? !(hz > 0) : !unit_is_time(u))
		return false;
	*ret = u == UNIT_CYCLES ? 1 / hz : (double)unit_nanoseconds(u) / 1e9;
	return true;
}

bool unit_scale(enum unit from, double from_hz, enum unit to, double to_hz, double *ret)
{
	double from_seconds, to_seconds;

	if (from == to && (from != UNIT_CYCLES || from_hz == to_hz)) {
		*ret = 1;
		return true;
	}
	if (!unit_seconds(from, from_hz, &from_seconds) || !unit_seconds(to, to_hz, &to_seconds))
		return false;
	/* Compute the ratio that is >= 1 first: 1000 is exact, 1e-3 is not. */
	*ret = from_seconds >= to_seconds ? round(from_seconds / to_seconds * 1e6) / 1e6
					  : 1 / (round(to_seconds / from_seconds * 1e6) / 1e6);
	if (from == UNIT_CYCLES || to == UNIT_CYCLES)
		*ret = from_seconds / to_seconds;
	return true;
}
