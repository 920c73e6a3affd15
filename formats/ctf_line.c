/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/ctf_line.h"

#include <limits.h>

#include "base/scan.h"

/* --- values ------------------------------------------------------------------------ */

/* Where a quoted string ends that begins here: behind its last quote. */
static size_t string_length(struct str s)
{
	size_t i = 1;

	while (i < s.n && s.p[i] != '"')
		i += s.p[i] == '\\' ? 2 : 1;
	return i < s.n ? i + 1 : s.n;
}

/* Up to a comma, or to a brace that was not opened here. */
static size_t value_length(struct str s)
{
	static const bool structural[UCHAR_MAX + 1] = {
		['"'] = true, [','] = true, ['{'] = true, ['['] = true,
		['('] = true, ['}'] = true, [']'] = true, [')'] = true
	};
	size_t depth = 0, i = 0;

	while (i < s.n) {
		if (!structural[(unsigned char)s.p[i]]) { /* as nearly all are */
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
		default: /* closes one */
			if (depth == 0)
				return i;
			depth--;
		}
		i++;
	}
	return i;
}

bool ctf_value(struct str group, struct str key, struct str *ret)
{
	while (group.n > 0) {
		size_t n = value_length(group);
		struct str field = str_trim((struct str){ group.p, n }), rest;

		group = str_skip(group, n + 1);
		if (!str_has_prefix(field, key))
			continue;
		rest = str_skip(field, key.n);
		if (!str_has_prefix(rest, STR(" = ")))
			continue;
		*ret = str_trim(str_skip(rest, 3));
		return true;
	}
	return false;
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

bool ctf_number(struct str group, struct str key, uint64_t *ret)
{
	static const struct str container = { ": container = ", 14 };
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

bool ctf_text(struct str group, struct str key, struct str *ret)
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

/* The groups of fields, each perhaps behind the name of its scope. */
static bool take_groups(struct str s, struct ctf_line *l)
{
	struct str group[CTF_CONTEXTS];
	size_t n = 0, open;

	while ((open = str_find(s, STR("{"))) < s.n) {
		struct str body = str_skip(s, open + 1);
		size_t at = value_length(body);

		while (at < body.n && body.p[at] == ',')
			at += 1 + value_length(str_skip(body, at + 1));
		if (n == CTF_CONTEXTS || at == body.n)
			return false;
		group[n++] = str_trim((struct str){ body.p, at });
		s = str_skip(body, at + 1);
	}
	if (n == 0)
		return true;
	l->payload = group[n - 1];
	l->n_contexts = n - 1;
	for (size_t i = 0; i < l->n_contexts; i++)
		l->context[i] = group[i];
	return str_trim(s).n == 0;
}

static void take_name(struct str name, struct ctf_line *l)
{
	if (!str_cut(name, ':', &l->provider, &l->name)) {
		l->provider = (struct str){ name.p, 0 };
		l->name = name;
	}
}

/* Where the name ends that fields stand behind, at the colon. */
static size_t name_end(struct str s)
{
	static const struct str fields[] = { { ": {", 3 }, { ": stream.", 9 }, { ": event.", 8 } };
	size_t end = s.n;

	for (size_t i = 0; i < COUNT_OF(fields); i++) {
		size_t at = str_find(s, fields[i]);

		end = at < end ? at : end;
	}
	return end == s.n && str_has_suffix(s, STR(":")) ? s.n - 1 : end;
}

/* Behind "[10:22:33.123456789] ": "(+0.000000123) host:procname:(7) provider:name: { ..." */
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

/* The value of "key = value, " in the header of a line that names everything. */
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

/* Behind "timestamp = " */
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
	static const struct str stamp = { "timestamp = ", 12 };
	size_t end;

	*ret = (struct ctf_line){ .n_contexts = 0 };
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
