/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/tracing/ctf_line.h"

#include <limits.h>

#include "base/scan.h"

/* --- values ------------------------------------------------------------------------ */

/* Returns the length of the quoted string at s, including the quotes. */
static size_t string_length(struct str s)
{
	size_t i = 1;

	while (i < s.n && s.p[i] != '"')
		i += s.p[i] == '\\' ? 2 : 1;
	return i < s.n ? i + 1 : s.n;
}

/* Returns the length up to a comma, or to an unmatched closing brace. */
static size_t value_length(struct str s)
{
	static const bool structural[UCHAR_MAX + 1] = {
		['"'] = true, [','] = true, ['{'] = true, ['['] = true,
		['('] = true, ['}'] = true, [']'] = true, [')'] = true
	};
	size_t depth = 0, i = 0;

	while (i < s.n) {
		if (!structural[(unsigned char)s.p[i]]) { /* nearly all bytes */
			i++;
			continue;
		}
		switch (s.p[i]) {
		case '"':
			i += string_length(str_skip(s, i));
			continue;
		case '{':
		case '[':
		case '(':
			depth++;
			break;
		case ',':
			if (depth == 0)
				return i;
			break;
		default: /* a closing brace */
			if (depth == 0)
				return i;
			depth--;
		}
		i++;
	}
	return i;
}

/* Splits "key = value"; false when there is no name. */
static bool split_field(struct str s, struct ctf_field *ret)
{
	static const struct str equals = STR_INIT(" = ");
	size_t at;

	s = str_trim(s);
	at = str_find(s, equals);
	if (at == s.n)
		return false;
	*ret = (struct ctf_field){ { s.p, at }, str_trim(str_skip(s, at + equals.n)) };
	return true;
}

size_t ctf_fields(struct str s, struct ctf_group *ret)
{
	size_t at = 0, end;

	ret->n = 0;
	ret->rest = (struct str){ s.p, 0 };
	for (;; at = end + 1) {
		struct str rest = str_skip(s, at);

		end = at + value_length(rest);
		if (ret->n == CTF_FIELDS && ret->rest.n == 0)
			ret->rest = rest;
		else if (ret->n < CTF_FIELDS)
			ret->n +=
				split_field((struct str){ rest.p, end - at }, &ret->field[ret->n]);
		if (end == s.n || s.p[end] != ',')
			break;
	}
	ret->text = str_trim((struct str){ s.p, end });
	if (ret->rest.n > 0)
		ret->rest.n = end - (size_t)(ret->rest.p - s.p);
	return end;
}

/* Finds a value among fields that were not parsed. */
static bool value_in(struct str fields, struct str key, struct str *ret)
{
	struct ctf_field field;

	while (fields.n > 0) {
		size_t n = value_length(fields);

		if (split_field((struct str){ fields.p, n }, &field) && str_eq(field.key, key)) {
			*ret = field.value;
			return true;
		}
		fields = str_skip(fields, n + 1);
	}
	return false;
}

bool ctf_value(const struct ctf_group *group, struct str key, struct str *ret)
{
	for (size_t i = 0; i < group->n; i++) {
		if (str_eq(group->field[i].key, key)) {
			*ret = group->field[i].value;
			return true;
		}
	}
	return value_in(group->rest, key, ret);
}

static bool parse_hex(struct str digits, uint64_t *ret)
{
	uint64_t v = 0;

	if (digits.n == 0 || digits.n > 16)
		return false;
	for (size_t i = 0; i < digits.n; i++) {
		char c = digits.p[i];
		unsigned digit;

		if (is_digit(c))
			digit = (unsigned)(c - '0');
		else if (c >= 'A' && c <= 'F')
			digit = (unsigned)(c - 'A') + 10;
		else
			return false;
		v = v << 4 | digit;
	}
	*ret = v;
	return true;
}

bool ctf_number(const struct ctf_group *group, struct str key, uint64_t *ret)
{
	static const struct str container = STR_INIT(": container = ");
	struct str value;

	if (!ctf_value(group, key, &value))
		return false;
	if (str_has_prefix(value, STR("("))) {
		value = str_skip(value, str_find_last(value, container) + container.n);
		value.n = str_find(value, STR(" "));
	}
	if (str_has_prefix(value, STR("0x")))
		return parse_hex(str_skip(value, 2), ret);
	return number_u64(value, ret) == NUMBER_OK;
}

bool ctf_text(const struct ctf_group *group, struct str key, struct str *ret)
{
	struct str value;

	if (!ctf_value(group, key, &value))
		return false;
	if (str_has_prefix(value, STR("( \"")))
		value = str_skip(value, 2);
	if (str_has_prefix(value, STR("\"")))
		value = (struct str){ value.p + 1, string_length(value) - 1 };
	if (str_has_suffix(value, STR("\"")))
		value.n--;
	*ret = value;
	return true;
}

/* --- lines ------------------------------------------------------------------------- */

/* Parses the groups of fields; each may follow the name of its scope. */
static bool take_groups(struct str s, struct ctf_line *l)
{
	size_t n = 0, open;

	while ((open = str_find(s, STR("{"))) < s.n) {
		struct str body = str_skip(s, open + 1);
		size_t end;

		if (n == CTF_GROUPS)
			return false;
		end = ctf_fields(body, &l->group[n++]);
		if (end == body.n)
			return false;
		s = str_skip(body, end + 1);
	}
	if (n == 0)
		return true;
	l->n_contexts = n - 1;
	return str_trim(s).n == 0;
}

static void take_name(struct str name, struct ctf_line *l)
{
	if (!str_cut(name, ':', &l->provider, &l->name)) {
		l->provider = (struct str){ name.p, 0 };
		l->name = name;
	}
}

/* Returns the end of the event's name, at the colon before its fields. */
static size_t name_end(struct str s)
{
	static const struct str fields[] = { STR_INIT(": {"), STR_INIT(": stream."),
					     STR_INIT(": event.") };
	size_t end = s.n;

	for (size_t i = 0; i < COUNT_OF(fields); i++) /* the first of them counts */
		end = str_find((struct str){ s.p, end }, fields[i]);
	return end == s.n && str_has_suffix(s, STR(":")) ? s.n - 1 : end;
}

/* Parses what follows "[10:22:33.123456789] ": "(+0.000000123) host:procname:(7) provider:name: {
 * ..." */
static bool plain_line(struct str s, struct ctf_line *l)
{
	struct str head;
	size_t end, blank;

	if (str_has_prefix(s, STR("(+")))
		s = str_skip(s, str_find(s, STR(") ")) + 2);
	end = name_end(s);
	head = (struct str){ s.p, end };
	blank = str_find_last(head, STR(" "));
	take_name(blank < head.n ? str_skip(head, blank + 1) : head, l);
	l->host = (struct str){ head.p, blank < head.n ? str_find(head, STR(" ")) : 0 };
	l->host.n = str_find(l->host, STR(":"));
	return end < s.n && l->name.n > 0 && take_groups(str_skip(s, end + 1), l);
}

/* Takes the value of "key = value, " from the header of a line in the format with names. */
static bool header_value(struct str *s, struct str key, struct str *ret)
{
	size_t at = str_find(*s, key);
	struct str value = str_skip(*s, at + key.n);

	if (at == s->n)
		return false;
	*ret = (struct str){ value.p, str_find(value, STR(", ")) };
	*s = str_skip(value, ret->n);
	return true;
}

/* Parses what follows "timestamp = ". */
static bool named_line(struct str s, struct ctf_line *l)
{
	struct str rest = s, name;

	l->host = (struct str){ s.p, 0 };
	if (!header_value(&rest, STR(", name = "), &name))
		return false;
	s.n -= rest.n;
	if (!header_value(&s, STR(", trace:hostname = "), &l->host))
		l->host.n = 0;
	take_name(name, l);
	return l->name.n > 0 && take_groups(rest, l);
}

bool ctf_line(struct str line, struct ctf_line *ret)
{
	static const struct str stamp = STR_INIT("timestamp = ");
	size_t end;

	ret->time = ret->host = ret->provider = ret->name = (struct str){ line.p, 0 };
	ret->n_contexts = 0;
	(void)ctf_fields(ret->time, &ret->group[0]);
	if (str_has_prefix(line, STR("["))) {
		line = str_skip(line, 1);
		end = str_find(line, STR("] "));
		ret->time = (struct str){ line.p, end };
		return end < line.n && plain_line(str_skip(line, end + 2), ret);
	}
	if (!str_has_prefix(line, stamp))
		return false;
	line = str_skip(line, stamp.n);
	end = str_find(line, STR(", "));
	ret->time = (struct str){ line.p, end };
	return named_line(str_skip(line, end), ret);
}
