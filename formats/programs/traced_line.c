/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/programs/traced_line.h"

#include <string.h>

#include "base/scan.h"

/* Returns the length of "31084 ", "[pid 31084] ", "13:27:53.711118 ", "(+     0.000253) ", which
 * cannot begin a call. */
static size_t leader_length(struct str s)
{
	size_t at = 0;

	for (;;) {
		while (at < s.n && is_gap(s.p[at]))
			at++;
		if (at < s.n && is_digit(s.p[at])) {
			while (at < s.n && s.p[at] != ' ')
				at++;
		} else if (at < s.n && (s.p[at] == '[' || s.p[at] == '(')) {
			char close = s.p[at] == '[' ? ']' : ')';
			const char *end = memchr(s.p + at, close, s.n - at);

			if (end == NULL || (close == ')' && s.p[at + 1] != '+'))
				return at;
			at = (size_t)(end - s.p) + 1;
		} else {
			return at;
		}
	}
}

/* Takes " <0.000007>" off the end of a line; false if it is missing. */
static bool take_duration(struct str *s, struct str *ret)
{
	size_t from = s->n - 1;

	if (s->n < 4 || s->p[from] != '>')
		return false;
	while (from > 0 && (is_digit(s->p[from - 1]) || s->p[from - 1] == '.'))
		from--;
	if (from < 2 || from == s->n - 1 || s->p[from - 1] != '<' || s->p[from - 2] != ' ')
		return false;
	*ret = (struct str){ s->p + from, s->n - 1 - from };
	s->n = from - 2;
	return true;
}

/* Returns the result of a call, the text after the last ") = " of a line; empty if there is none.
 * It may contain an equals sign, as in "1 ([{fd=3, revents=POLLIN}])". */
static struct str returned_text(struct str s)
{
	while (s.n > 0) {
		size_t at = str_find_last(s, STR("="));

		if (at == 0 || at == s.n)
			break;
		if (s.p[at - 1] == ' ' && at + 1 < s.n && s.p[at + 1] == ' ') {
			struct str before = str_trim((struct str){ s.p, at });

			if (str_has_suffix(before, STR(")")))
				return str_trim(str_skip(s, at + 1));
		}
		s.n = at;
	}
	return (struct str){ s.p, 0 };
}

/* Takes "<... read resumed>" or "read("; false if no call begins here. */
static bool take_name(struct str *s, struct traced *t)
{
	size_t n = 0;

	t->resumed = str_has_prefix(*s, STR("<... "));
	if (t->resumed) {
		struct str body = str_skip(*s, sizeof("<... ") - 1);
		size_t end = str_find(body, STR(" resumed>"));

		t->name = (struct str){ body.p, end };
		*s = str_skip(body, end + sizeof(" resumed>") - 1);
		return end > 0 && end < body.n;
	}
	while (n < s->n && s->p[n] != '(' && s->p[n] != '"')
		n++;
	t->name = (struct str){ s->p, n };
	if (n == 0 || n == s->n || s->p[n] != '(' || s->p[n - 1] == ' ')
		return false;
	*s = str_skip(*s, n + 1);
	return true;
}

struct traced traced_parse(struct str line)
{
	struct traced t = { .kind = TRACED_OTHER };
	size_t at = leader_length(line);
	struct str s = str_skip(line, at), ret;
	bool timed;

	t.leader = (struct str){ line.p, at };
	if (s.n == 0)
		return t;
	t.is_rest = !take_name(&s, &t);
	t.after_name = t.is_rest ? (struct str){ line.p, 0 } : s;
	if (t.is_rest) /* "hello(" printed by a program is not a call */
		s = line;
	s = str_trim(s);
	timed = take_duration(&s, &t.duration);
	ret = returned_text(s);
	if (timed && ret.n > 0)
		t.kind = TRACED_CALL;
	else if (!timed && str_has_suffix(s, STR("...>")))
		t.kind = TRACED_BEGUN;
	else if (!timed && ret.n > 0 && !t.is_rest)
		t.kind = ret.p[0] == '?' ? TRACED_NEVER : TRACED_UNTIMED;
	if (t.kind == TRACED_OTHER)
		t.is_rest = false;
	return t;
}

bool traced_mend(struct broken *b, struct traced *t)
{
	bool fits = t->kind == TRACED_OTHER && t->after_name.n > 0 && t->name.n < sizeof(b->name);

	if (t->kind == TRACED_OTHER && t->after_name.n == 0)
		return true; /* further output of the program */
	if (t->is_rest) {
		if (b->n == 0)
			return false;
		t->resumed = b->resumed;
		t->name = (struct str){ b->name, b->n };
	}
	if (fits) {
		memcpy(b->name, t->name.p, t->name.n);
		b->resumed = t->resumed;
	}
	b->n = fits ? t->name.n : 0;
	return true;
}
