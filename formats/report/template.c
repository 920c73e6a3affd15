/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/report/template.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/scan.h"
#include "formats/measure.h"
#include "profile/unit.h"

enum { MAX_DIGITS = 40 };

enum { MAX_STEPS = 100000 }; /* bounds the time for a line on which text fits in many ways */

/* The state of a match: the captures so far, and how numbers are written. */
struct matching {
	bool grouped;
	const char *again; /* the part of the template that repeats; NULL: none so far */
	size_t steps;
	bool failed; /* whatever else earlier text takes, the rest does not match */
	struct captures *found;
};

/* --- numbers ------------------------------------------------------------------------------ */

/* Returns how many bytes a blank between groups of digits takes (U+00A0, U+2009, U+202F); 0: there
 * is none. */
static size_t group_blank(struct str s)
{
	static const struct str blanks[] = { STR_INIT("\xc2\xa0"), STR_INIT("\xe2\x80\x89"),
					     STR_INIT("\xe2\x80\xaf"), STR_INIT("'") };

	for (size_t i = 0; i < COUNT_OF(blanks); i++) {
		if (str_has_prefix(s, blanks[i]) && str_begins_with_digit(str_skip(s, blanks[i].n)))
			return blanks[i].n;
	}
	return 0;
}

/* Copies the digits and marks of a number without blanks between groups; returns the bytes it
 * takes. */
static size_t gather_digits(struct str s, bool commas, char *to, size_t *ret_n)
{
	size_t at = 0, n = 0, blank;

	while (at < s.n && n < MAX_DIGITS) {
		struct str rest = str_skip(s, at);
		bool mark = n > 0 && (s.p[at] == '.' || (commas && s.p[at] == ',')) &&
			    str_begins_with_digit(str_skip(rest, 1));

		if (is_digit(s.p[at]) || mark)
			to[n++] = s.p[at++];
		else if (n > 0 && (blank = group_blank(rest)) > 0)
			at += blank;
		else
			break;
	}
	*ret_n = n;
	return at;
}

static size_t count_of(const char *s, size_t n, char c)
{
	size_t k = 0;

	for (size_t i = 0; i < n; i++)
		k += s[i] == c;
	return k;
}

/* Returns the offset of the decimal mark; n: there is none. */
static size_t decimal_mark(const char *s, size_t n, bool grouped)
{
	size_t commas = count_of(s, n, ','), points = count_of(s, n, '.'), last = n;

	for (size_t i = 0; i < n; i++)
		last = s[i] == ',' || s[i] == '.' ? i : last;
	if (commas + points == 0 || (commas == 0 && points > 1) || (points == 0 && commas > 1))
		return n;
	if (commas > 0 && points > 0)
		return last;
	return points == 0 && grouped && n - last - 1 == 3 ? n : last;
}

/* Whether groups have three digits: "1,234.5", not "127.0.0.1". */
static bool groups_are_whole(const char *s, size_t n, size_t mark)
{
	size_t digits = 0;
	bool group = false;

	for (size_t i = 0; i <= n; i++) {
		if (i < n && is_digit(s[i])) {
			digits++;
			continue;
		}
		if (group && digits != 3)
			return false;
		if (i == mark)
			break;
		group = true;
		digits = 0;
	}
	return true;
}

/* Writes the number with a point and without groups; returns the number of digits after it. */
static size_t normalize_number(char *s, size_t *n, bool grouped)
{
	size_t mark = decimal_mark(s, *n, grouped), to = 0, digits = 0;

	for (size_t i = 0; i < *n; i++) {
		if (is_digit(s[i]))
			s[to++] = s[i];
		else if (i == mark)
			s[to++] = '.';
		digits += i > mark;
	}
	*n = to;
	return digits;
}

static double scale_of(char c)
{
	return c == 'k' || c == 'K' ? 1e3 : c == 'M' ? 1e6 : c == 'G' ? 1e9 : 1;
}

/* "12k", unless more letters follow. */
static size_t take_scale(struct str s, struct printed *ret)
{
	double scale = s.n > 0 ? scale_of(s.p[0]) : 1;
	struct decimal scaled;

	if (scale == 1 || (s.n > 1 && is_letter(s.p[1])) ||
	    !decimal_times(ret->number, (uint64_t)scale, &scaled))
		return 0;
	ret->number = scaled;
	ret->step *= scale;
	ret->rounded = true;
	return 1;
}

static const char *const unknown[] = { "-nan", "nan",  "NaN",  "N/A",	    "n/a", "NA",
				       "inf",  "-inf", "null", "undefined", "--",  "-" };

/* "nan", also before a unit ("-nanus"). */
static size_t take_unknown(struct str s, struct printed *ret)
{
	if (s.n == 0 || strchr("-nNiu", s.p[0]) == NULL)
		return 0;
	for (size_t i = 0; i < COUNT_OF(unknown); i++) {
		struct str word = str_from(unknown[i]);

		if (str_has_prefix(s, word)) {
			*ret = (struct printed){ .known = false };
			return word.n;
		}
	}
	return 0;
}

/* "e-05", "e+06" */
static size_t take_exponent(struct str s, char *to, size_t *n)
{
	size_t at = 1;

	if (s.n < 2 || (s.p[0] != 'e' && s.p[0] != 'E'))
		return 0;
	at += s.p[1] == '-' || s.p[1] == '+';
	if (!str_begins_with_digit(str_skip(s, at)))
		return 0;
	while (at < s.n && is_digit(s.p[at]) && at < 5)
		at++;
	memcpy(to + *n, s.p, at);
	*n += at;
	return at;
}

/* Returns how many bytes the number at the beginning of s takes; 0: there is none. */
static size_t take_number(struct str s, bool commas, bool grouped, struct printed *ret)
{
	char digits[1 + MAX_DIGITS + 8];
	size_t n, taken, after, exponent;
	bool negative = s.n > 0 && s.p[0] == '-' && str_begins_with_digit(str_skip(s, 1));
	double size;

	digits[0] = '-';
	taken = negative + gather_digits(str_skip(s, negative), commas, digits + 1, &n);
	if (n == 0)
		return take_unknown(s, ret);
	if (!groups_are_whole(digits + 1, n, decimal_mark(digits + 1, n, grouped)))
		return 0;
	after = normalize_number(digits + 1, &n, grouped);
	n++;
	exponent = take_exponent(str_skip(s, taken), digits, &n);
	*ret = (struct printed){ .known = true, .step = pow(10, -(double)after) };
	if (number_decimal((struct str){ digits + !negative, n - !negative }, &ret->number) !=
	    NUMBER_OK)
		return 0;
	size = exponent > 0 ? fabs(decimal_f64(ret->number)) : 0;
	ret->step = size > 0 ? size * ret->step : ret->step;
	taken += exponent;
	return taken + take_scale(str_skip(s, taken), ret);
}

/* Returns how many bytes a unit of time takes, with blanks before it; 0: there is none. */
static size_t take_unit(struct str s, uint64_t *ret_ns)
{
	size_t blanks = 0, n;
	struct str word;

	while (blanks < s.n && is_gap(s.p[blanks]))
		blanks++;
	word = str_skip(s, blanks);
	for (n = 0; n < word.n && (is_letter(word.p[n]) || (unsigned char)word.p[n] >= 0x80);)
		n++;
	*ret_ns = measure_nanoseconds((struct str){ word.p, n });
	return *ret_ns > 0 ? blanks + n : 0;
}

/* Adds the second part of "1m30s", so that both are in nanoseconds. */
static size_t take_part(struct str s, bool grouped, struct printed *sum)
{
	struct printed part;
	struct decimal a, b;
	size_t n, unit;

	if (!str_begins_with_digit(s) || (n = take_number(s, false, grouped, &part)) == 0 ||
	    (unit = take_unit(str_skip(s, n), &part.ns)) == 0 || part.ns >= sum->ns ||
	    !decimal_times(sum->number, sum->ns, &a) || !decimal_times(part.number, part.ns, &b) ||
	    !decimal_add(a, b, &sum->number))
		return 0;
	sum->step = part.step * (double)part.ns;
	sum->ns = 1;
	return n + unit;
}

static size_t take_time(struct str s, bool grouped, struct printed *ret)
{
	size_t n = take_number(s, true, grouped, ret), unit;
	uint64_t ns;

	if (n == 0 || (unit = take_unit(str_skip(s, n), &ns)) == 0)
		return n;
	ret->ns = ns;
	n += unit;
	return n + take_part(str_skip(s, n), grouped, ret);
}

/* Takes the digits of a part of a clock time, at least one. */
static size_t take_clock_part(struct str s, uint64_t *ret)
{
	enum { MAX_PART = 6 };
	size_t n = 0;

	while (n < s.n && n < MAX_PART && is_digit(s.p[n]))
		n++;
	return n > 0 && number_u64((struct str){ s.p, n }, ret) == NUMBER_OK ? n : 0;
}

/* "00:01:30" */
static size_t take_clock(struct str s, struct printed *ret)
{
	uint64_t hours, minutes, seconds;
	size_t h = take_clock_part(s, &hours), m, n;

	if (h == 0 || h == s.n || s.p[h] != ':')
		return 0;
	m = h + 1 + take_clock_part(str_skip(s, h + 1), &minutes);
	if (m != h + 3 || m == s.n || s.p[m] != ':')
		return 0;
	n = m + 1 + take_clock_part(str_skip(s, m + 1), &seconds);
	if (n != m + 3)
		return 0;
	*ret = (struct printed){ .known = true, .step = 1, .ns = unit_nanoseconds(UNIT_S) };
	ret->number = decimal_from_u64((hours * 60 + minutes) * 60 + seconds);
	return n;
}

/* --- templates ---------------------------------------------------------------------------- */

static const struct {
	struct str word;
	enum field field;
} fields[] = {
	{ STR_INIT("name"), FIELD_NAME },
	{ STR_INIT("layer"), FIELD_LAYER },
	{ STR_INIT("group"), FIELD_GROUP },
	{ STR_INIT("rate"), FIELD_RATE },
	{ STR_INIT("seconds"), FIELD_SECONDS },
	{ STR_INIT("unit"), FIELD_UNIT },
	{ STR_INIT("calls"), FIELD_CALLS },
	{ STR_INIT("failed"), FIELD_FAILED },
	{ STR_INIT("clients"), FIELD_CLIENTS },
	{ STR_INIT("percent"), FIELD_PERCENT },
	{ STR_INIT("share"), FIELD_SHARE },
	{ STR_INIT("number"), FIELD_NUMBER },
	{ STR_INIT("mean"), FIELD_MEAN },
	{ STR_INIT("deviation"), FIELD_DEVIATION },
	{ STR_INIT("min"), FIELD_MIN },
	{ STR_INIT("max"), FIELD_MAX },
	{ STR_INIT("total"), FIELD_TOTAL },
	{ STR_INIT("value"), FIELD_VALUE },
	{ STR_INIT("low"), FIELD_LOW },
	{ STR_INIT("high"), FIELD_HIGH },
	{ STR_INIT("elapsed"), FIELD_ELAPSED },
	{ STR_INIT("time"), FIELD_TIME },
	{ STR_INIT("period"), FIELD_PERIOD },
	{ STR_INIT("loss"), FIELD_LOSS },
	{ STR_INIT("throughput"), FIELD_THROUGHPUT },
};

/* Parses the word in braces at t and moves past it. */
static struct capture field_at(const char **t)
{
	const char *end = strchr(*t, '}');
	struct str word = { *t + 1, (size_t)(end - *t) - 1 };
	struct capture c = { .field = FIELD_PERCENTILE };

	*t = end + 1;
	for (size_t i = 0; i < COUNT_OF(fields); i++) {
		if (str_eq(word, fields[i].word)) {
			c.field = fields[i].field;
			return c;
		}
	}
	assert(word.p[0] == 'p');
	c.percent = 0;
	(void)!number_f64(str_skip(word, 1), &c.percent);
	return c;
}

static bool match_rest(struct matching *m, const char *t, struct str s);

static struct str without_blanks(struct str s)
{
	while (s.n > 0 && is_gap(s.p[0]))
		s = str_skip(s, 1);
	return s;
}

static bool is_literal(char c)
{
	return c != '\0' && strchr(" *{~", c) == NULL;
}

/* Whether the beginning of a template can match that of s, by its first letter. */
static bool may_begin(const char *t, struct str s)
{
	if (*t == ' ') {
		if (s.n > 0 && !is_gap(s.p[0]))
			return false;
		if (s.n < 2 || is_gap(s.p[1]))
			return true;
		s = str_skip(s, 1);
		t++;
	}
	return !is_literal(*t) || (s.n > 0 && s.p[0] == *t);
}

/* Text up to where the rest of the template matches, the shortest first. Where there is no such
 * place, there is none further on either, so that text before this one need not be made longer;
 * only what repeats may end otherwise. */
static bool match_text(struct matching *m, struct capture *c, const char *t, struct str s)
{
	struct captures *f = m->found;

	s = c != NULL ? without_blanks(s) : s;
	for (size_t n = c != NULL; n <= s.n && !m->failed && m->steps++ < MAX_STEPS; n++) {
		size_t n_before = f->n;

		if (m->again == NULL && !may_begin(t, str_skip(s, n)))
			continue;
		if (c != NULL && f->n < MAX_CAPTURES) {
			c->text = str_trim((struct str){ s.p, n });
			f->of[f->n++] = *c;
		}
		if (match_rest(m, t, str_skip(s, n)))
			return true;
		f->n = n_before;
	}
	m->failed = m->again == NULL;
	return false;
}

/* Numbers that are counts stand in lists, between commas. */
static bool may_be_fraction(enum field field)
{
	return field >= FIELD_RATE && field != FIELD_NUMBER;
}

static size_t take_field(struct matching *m, struct capture *c, bool unit_follows, struct str s)
{
	size_t n;

	if (c->field == FIELD_UNIT)
		return take_unit(s, &c->value.ns);
	if (c->field == FIELD_ELAPSED && (n = take_clock(s, &c->value)) > 0)
		return n;
	if (c->field < FIELD_MEAN || unit_follows)
		return take_number(s, m->grouped || may_be_fraction(c->field), m->grouped,
				   &c->value);
	return take_time(s, m->grouped, &c->value);
}

static bool match_field(struct matching *m, const char *t, struct str s)
{
	struct capture c = field_at(&t);
	bool unit_follows = strncmp(t + strspn(t, " "), "{unit}", 6) == 0;
	struct captures *f = m->found;
	size_t n;

	if (c.field <= FIELD_GROUP)
		return match_text(m, &c, t, s);
	s = without_blanks(s);
	n = take_field(m, &c, unit_follows, s);
	if (n == 0 || f->n == MAX_CAPTURES)
		return false;
	c.text = (struct str){ s.p, n };
	f->of[f->n++] = c;
	if (match_rest(m, t, str_skip(s, n)))
		return true;
	f->n--;
	return false;
}

/* Matches the rest of the template with all of s. */
static bool match_rest(struct matching *m, const char *t, struct str s)
{
	for (; *t != '\0'; t++) {
		if (*t == ' ') {
			if (s.n > 0 && !is_gap(s.p[0]))
				return false;
			s = without_blanks(s);
		} else if (*t == '*' && t[1] != '*') {
			if (t[1] == '\0')
				return m->again == NULL || match_rest(m, m->again, s) || true;
			return match_text(m, NULL, t + 1, s);
		} else if (*t == '{' && t[1] != '{') {
			return match_field(m, t, s);
		} else if (*t == '~') {
			m->again = t + 1;
		} else if (s.n > 0 && s.p[0] == *t) {
			s = str_skip(s, 1);
			t += *t == '{' || *t == '*';
		} else {
			/* Nothing separates the last repetition from the end, but a bracket. */
			s = without_blanks(s);
			return m->again != NULL && strchr(t, '{') == NULL &&
			       (s.n == 0 || str_eq(s, STR("]")));
		}
	}
	s = without_blanks(s);
	return s.n == 0 || (m->again != NULL && match_rest(m, m->again, s));
}

struct str template_longest_word(const char *t)
{
	struct str longest = { t, 0 };

	while (*t != '\0' && *t != '~') {
		size_t n = strcspn(t, " *{~");

		if (n > longest.n)
			longest = (struct str){ t, n };
		t += n;
		if (*t == '{')
			t = t[1] == '{' ? t + 2 : strchr(t, '}') + 1;
		else if (*t == ' ' || *t == '*')
			t += 1 + (*t == '*' && t[1] == '*');
	}
	return longest;
}

struct str template_word(const char *template)
{
	/* Where the template begins with text, the first letter excludes most lines. */
	return is_literal(*template) ? STR("") : template_longest_word(template);
}

bool template_match(const char *template, struct str line, bool grouped, struct captures *ret)
{
	struct matching m = { .grouped = grouped, .found = ret };

	ret->n = 0;
	return match_rest(&m, template, line);
}
