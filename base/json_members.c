/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads JSON objects by tables of their members. */
#include <string.h>

#include "base/decimal.h"
#include "base/diag.h"
#include "base/json.h"

static bool read_decimal(struct json *j, struct decimal *ret)
{
	struct str text;

	if (!json_number(j, &text))
		return false;
	j->failed = number_decimal(text, ret) != NUMBER_OK;
	if (j->failed)
		diag_at(j->diag, DIAG_NUMBER_RANGE, j->c.in, (size_t)(text.p - j->c.in->bytes.p),
			text.n, "beyond 1.7e29");
	return !j->failed;
}

static bool read_member(struct json *j, const struct json_member *m)
{
	switch (m->kind) {
	case JSON_IS_STRING:
		return json_string(j, m->to);
	case JSON_IS_TEXT:
		return json_text(j, m->to);
	case JSON_IS_TEXT_OR_SKIP:
		return json_text_or_skip(j, m->to);
	case JSON_IS_TEXT_IN_PLACE:
		return json_text_in_place(j, m->to);
	case JSON_IS_NUMBER:
		return json_number(j, m->to);
	case JSON_IS_U64:
		return json_u64(j, m->to);
	case JSON_IS_I64:
		return json_i64(j, m->to);
	case JSON_IS_F64:
		return json_f64(j, m->to);
	case JSON_IS_F64_OR_NULL:
		return json_f64_or_null(j, m->to);
	case JSON_IS_DECIMAL:
		return read_decimal(j, m->to);
	case JSON_IS_READ:
		return m->read(m->to);
	case JSON_IS_EACH:
		return json_each(j, m->read, m->to);
	case JSON_IS_OBJECT:
		return json_members(j, m->members, m->n);
	case JSON_IS_FLAG:
		*(bool *)m->to |= json_peek(j) == 't' || json_peek(j) == '"';
		break;
	case JSON_IS_MARK:
		*(struct json *)m->to = *j;
		break;
	}
	return json_skip(j);
}

/* Consumes "name": if that comes next, which is cheaper than reading the key. */
static bool is_key(struct json *j, struct str name)
{
	const char *p;

	if (json_peek(j) != '"' || j->c.end - j->c.at < name.n + 3)
		return false;
	p = j->c.in->bytes.p + j->c.at + 1;
	if (p[name.n] != '"' || p[name.n + 1] != ':' || memcmp(p, name.p, name.n) != 0)
		return false;
	j->c.at += name.n + 3;
	return true;
}

/* Takes the next letter off the key, in lower case, skipping underscores; -1: the end. */
static int take_letter(struct str *key)
{
	while (key->n > 0) {
		char c = key->p[0];

		*key = str_skip(*key, 1);
		if (c != '_')
			return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
	}
	return -1;
}

/* Whether two keys differ only in underscores and case. */
static bool is_similar(struct str a, struct str b)
{
	int letter;

	do {
		letter = take_letter(&a);
		if (letter != take_letter(&b))
			return false;
	} while (letter >= 0);
	return true;
}

static size_t find_member(const struct json_member *m, size_t n, struct str key, bool loose)
{
	size_t i = 0;

	while (i < n &&
	       !(m[i].key.n == key.n && m[i].key.p[0] == key.p[0] && str_eq(m[i].key, key)) &&
	       !(loose && is_similar(m[i].key, key)))
		i++;
	return i;
}

/* Tries the member after the last one first: writers mostly use the order of the table. */
bool json_members(struct json *j, const struct json_member *m, size_t n)
{
	size_t next = 0;

	for (json_object(j); json_key_follows(j);) {
		size_t i = next, from = 0;
		struct str key;
		bool taken;

		if (!is_key(j, m[i].key)) {
			if (!json_key_name(j, &key))
				return false;
			i = key.n > 0 ? find_member(m, n, key, j->loose) : n;
		}
		if (i == n) {
			if (!json_skip(j))
				return false;
			continue;
		}
		taken = m[i].only == 0 || json_peek(j) == m[i].only;
		if (m[i].where != NULL)
			from = json_begin(j);
		if (!(taken ? read_member(j, &m[i]) : json_skip(j)))
			return false;
		if (taken && m[i].has != NULL)
			*m[i].has = true;
		if (m[i].where != NULL)
			*m[i].where = json_since(j, from);
		next = i + 1 < n ? i + 1 : 0;
	}
	return !j->failed;
}
