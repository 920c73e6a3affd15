/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/monitor/prometheus_line.h"

#include <limits.h>

#include "base/out.h"

static struct str skip_blanks(struct str s)
{
	while (s.n > 0 && is_gap(s.p[0]))
		s = str_skip(s, 1);
	return s;
}

/* Takes the text after an opening quote up to the closing one, which is skipped. */
static bool take_quoted(struct str *rest, struct str *ret)
{
	size_t n = 0;

	while (n < rest->n && rest->p[n] != '"')
		n += rest->p[n] == '\\' ? 2 : 1;
	if (n >= rest->n)
		return false;
	*ret = (struct str){ rest->p, n };
	*rest = str_skip(*rest, n + 1);
	return true;
}

static const bool ends_name[UCHAR_MAX + 1] = {
	['{'] = true, ['}'] = true, ['='] = true, [','] = true,
	['"'] = true, ['#'] = true, [' '] = true, ['\t'] = true,
};

/* Takes a name, in quotes or up to one of the characters that may follow it. */
static bool take_name(struct str *rest, struct str *ret)
{
	size_t n = 0;

	if (str_has_prefix(*rest, STR("\""))) {
		*rest = str_skip(*rest, 1);
		return take_quoted(rest, ret);
	}
	while (n < rest->n && !ends_name[(unsigned char)rest->p[n]])
		n++;
	*ret = (struct str){ rest->p, n };
	*rest = str_skip(*rest, n);
	return n > 0;
}

/* Takes the name and value of a label; a name alone has a value with p NULL. */
static bool take_label(struct str *rest, struct str *ret_name, struct str *ret_value)
{
	*ret_value = (struct str){ NULL, 0 };
	if (!take_name(rest, ret_name))
		return false;
	*rest = skip_blanks(*rest);
	if (!str_has_prefix(*rest, STR("=")))
		return true;
	*rest = skip_blanks(str_skip(*rest, 1));
	if (!str_has_prefix(*rest, STR("\"")))
		return false;
	*rest = str_skip(*rest, 1);
	return take_quoted(rest, ret_value);
}

bool prometheus_label(struct str *rest, struct str *ret_name, struct str *ret_value)
{
	*rest = skip_blanks(*rest);
	if (str_has_prefix(*rest, STR(",")))
		*rest = skip_blanks(str_skip(*rest, 1));
	return rest->n > 0 && take_label(rest, ret_name, ret_value);
}

/* Takes the labels after the opening brace, up to the closing one. */
static const char *take_labels(struct str *rest, struct prometheus_sample *ret)
{
	const char *from = rest->p;

	for (;;) {
		struct str name, value;

		*rest = skip_blanks(*rest);
		if (str_has_prefix(*rest, STR("}")))
			break;
		if (!take_label(rest, &name, &value))
			return "expected label=\"value\"";
		if (value.p == NULL && ret->base.n > 0)
			return "expected = and a value after the label";
		if (value.p == NULL) {
			ret->base = name; /* {"the.metric", ...} */
			from = rest->p;
		} else if (str_eq(name, STR("le"))) {
			ret->le = value;
		}
		*rest = skip_blanks(*rest);
		if (str_has_prefix(*rest, STR(",")))
			*rest = str_skip(*rest, 1);
		else if (!str_has_prefix(*rest, STR("}")))
			return "expected , or } after a label";
		if (value.p == NULL)
			from = rest->p;
	}
	ret->labels = (struct str){ from, (size_t)(rest->p - from) };
	*rest = str_skip(*rest, 1);
	return NULL;
}

static struct str take_word(struct str *rest)
{
	struct str word;
	size_t n = 0;

	*rest = skip_blanks(*rest);
	while (n < rest->n && !is_gap(rest->p[n]))
		n++;
	word = (struct str){ rest->p, n };
	*rest = str_skip(*rest, n);
	return word;
}

enum prometheus_part prometheus_part(struct str *metric)
{
	static const struct {
		struct str end;
		enum prometheus_part part;
	} ends[] = {
		{ STR_INIT("_bucket"), PART_BUCKET },
		{ STR_INIT("_sum"), PART_SUM },
		{ STR_INIT("_count"), PART_COUNT },
	};

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		if (!str_has_suffix(*metric, ends[i].end))
			continue;
		metric->n -= ends[i].end.n;
		return ends[i].part;
	}
	return PART_OTHER;
}

/* Takes the value and the time stamp; an exemplar is not a time stamp. */
static bool take_value(struct str *rest, struct prometheus_sample *s)
{
	s->value = take_word(rest);
	s->stamp = take_word(rest);
	if (str_has_prefix(s->stamp, STR("#")))
		s->stamp.n = 0;
	return s->value.n > 0;
}

const char *prometheus_scan(struct str line, struct prometheus_sample *ret, const char **ret_at)
{
	struct prometheus_sample s = { .line = line, .part = PART_OTHER };
	struct str rest = skip_blanks(line);
	const char *why = NULL;

	*ret_at = rest.p;
	*ret = s;
	if (!str_has_prefix(rest, STR("{")) && !take_name(&rest, &s.base))
		return "expected the name of a metric";
	rest = skip_blanks(rest);
	s.labels = (struct str){ rest.p, 0 };
	if (str_has_prefix(rest, STR("{"))) {
		rest = str_skip(rest, 1);
		why = take_labels(&rest, &s);
	}
	*ret_at = rest.p;
	s.part = prometheus_part(&s.base);
	if (why == NULL && !take_value(&rest, &s))
		why = "expected a value";
	*ret = s;
	return why;
}

/* Returns the part of the line at `to` that corresponds to `part` of the line at `from`. */
static struct str moved_part(struct str part, const char *from, const char *to)
{
	return (struct str){ to + (part.p - from), part.n };
}

bool prometheus_scan_similar(struct str line, const struct prometheus_sample *other,
			     struct prometheus_sample *ret)
{
	struct str le = other->le, front, back, rest = line;
	struct prometheus_sample s = *other;

	if (le.p == NULL || le.p < other->labels.p) /* the name comes after le */
		return false;
	front = (struct str){ other->line.p, (size_t)(le.p - other->line.p) };
	back = (struct str){ le.p + le.n, (size_t)(other->value.p - (le.p + le.n)) };
	if (!str_has_prefix(rest, front))
		return false;
	rest = str_skip(rest, front.n);
	if (!take_quoted(&rest, &s.le))
		return false;
	rest = str_skip(line, (size_t)(s.le.p + s.le.n - line.p));
	if (!str_has_prefix(rest, back))
		return false;
	rest = str_skip(rest, back.n);
	s.line = line;
	s.base = moved_part(other->base, other->line.p, line.p);
	s.labels = moved_part(other->labels, other->line.p, line.p);
	s.labels.n += s.le.n - le.n;
	if (!take_value(&rest, &s))
		return false;
	*ret = s;
	return true;
}

void prometheus_sample_series(const struct prometheus_sample *s, struct out *to)
{
	struct str rest = s->labels, name, value;
	bool any = false;

	out_bytes(to, s->base);
	while (prometheus_label(&rest, &name, &value)) {
		if (value.p == NULL || str_eq(name, STR("le")))
			continue;
		out_char(to, any ? ',' : '{');
		any = true;
		out_bytes(to, name);
		out_text(to, "=\"");
		out_bytes(to, value);
		out_char(to, '"');
	}
	if (any)
		out_char(to, '}');
}
