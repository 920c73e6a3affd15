/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/programs/traced_variables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/scan.h"
#include "base/xalloc.h"

enum { MAX_ARGUMENTS = 6, LONGEST_ARGUMENT = 200, LONGEST_BEGIN = 4096, THREAD_ROOM = 24 };

struct begun_call {
	char *text;
	size_t n;
	bool open;
};

void traced_begun_release(struct traced_begun *b)
{
	for (size_t i = 0; i < b->n; i++)
		free(b->v[i].text);
	free(b->v);
	number_map_release(&b->of_thread);
}

static struct begun_call *begun_of(struct traced_begun *b, uint64_t thread)
{
	bool fresh;
	uint64_t *number = number_map_at(&b->of_thread, thread, &fresh);

	if (fresh) {
		*number = b->n;
		b->v = xgrow(b->v, &b->cap, b->n + 1, sizeof(*b->v));
		b->v[b->n++] = (struct begun_call){ .text = xcalloc(LONGEST_BEGIN, 1) };
	}
	return &b->v[*number];
}

static void add_text(struct begun_call *c, struct str s)
{
	size_t n = s.n < LONGEST_BEGIN - c->n ? s.n : LONGEST_BEGIN - c->n;

	memcpy(c->text + c->n, s.p, n);
	c->n += n;
}

void traced_begun_keep(struct traced_begun *b, uint64_t thread, struct str after_name)
{
	struct begun_call *c = begun_of(b, thread);
	size_t end = str_find_last(after_name, STR("<unfinished"));

	c->n = 0;
	c->open = true;
	add_text(c, (struct str){ after_name.p, end < after_name.n ? end : after_name.n });
}

/* --- arguments ------------------------------------------------------------------------- */

/* Returns the position after the string that begins at s.p[at]. */
static size_t after_quoted(struct str s, size_t at)
{
	for (at++; at < s.n && s.p[at] != '"'; at++)
		at += s.p[at] == '\\';
	return at < s.n ? at + 1 : s.n;
}

/* Removes the comment that strace adds after an address, such as a number of directory entries. */
static struct str without_annotation(struct str argument)
{
	size_t at = str_find(argument, STR(" /*"));

	if (at < argument.n && argument.p[0] != '"')
		argument.n = at;
	return argument;
}

/* Takes an argument and the character that ends it off *s; *ret_last: this was the closing bracket
 * of the call. */
static struct str take_argument(struct str *s, bool *ret_last)
{
	size_t at = 0, depth = 0;
	struct str argument;

	while (at < s->n) {
		char c = s->p[at];

		if (c == '"') {
			at = after_quoted(*s, at);
			continue;
		}
		if (depth == 0 && (c == ',' || c == ')'))
			break;
		depth += c == '(' || c == '[' || c == '{';
		depth -= depth > 0 && (c == ')' || c == ']' || c == '}');
		at++;
	}
	argument = without_annotation(str_trim((struct str){ s->p, at }));
	*ret_last = at >= s->n || s->p[at] == ')';
	*s = str_skip(*s, at < s->n ? at + 1 : at);
	return argument;
}

/* Sets the arguments; *s becomes the text after the closing bracket. */
static void set_arguments(struct variables *to, struct str *s, bool known)
{
	static const struct str names[MAX_ARGUMENTS] = {
		STR_INIT("argument 1"), STR_INIT("argument 2"), STR_INIT("argument 3"),
		STR_INIT("argument 4"), STR_INIT("argument 5"), STR_INIT("argument 6"),
	};
	bool last = s->n == 0;

	for (size_t i = 0; !last; i++) {
		struct str argument = take_argument(s, &last);

		if (argument.n > LONGEST_ARGUMENT)
			argument.n = LONGEST_ARGUMENT;
		if (known && i < MAX_ARGUMENTS && argument.n > 0)
			variables_set(to, variables_column(to, names[i], VARIABLE_PLAIN), argument,
				      STR(""));
	}
}

/* Parses " = -1 EAGAIN (Resource temporarily unavailable) <0.000012>", " = 3</etc/passwd> <...>".
 */
static void set_result(struct variables *to, struct str s)
{
	struct str result, rest;
	size_t n = 0;

	s = str_trim(s);
	if (!str_has_prefix(s, STR("= ")))
		return;
	s = str_trim(str_skip(s, 2));
	if (!str_cut(s, ' ', &result, &rest))
		result = s;
	if (result.n > 1 && result.p[0] != '<' && str_find(result, STR("<")) < result.n)
		result.n = str_find(result, STR("<")); /* a descriptor and its path */
	variables_set(to, variables_column(to, STR("result"), VARIABLE_RESULT), result, STR(""));
	rest = str_trim(str_skip(s, result.n));
	while (n < rest.n && ((rest.p[n] >= 'A' && rest.p[n] <= 'Z') || is_digit(rest.p[n])))
		n++;
	if (n > 1 && rest.p[0] == 'E')
		variables_set(to, variables_column(to, STR("error"), VARIABLE_LABEL),
			      (struct str){ rest.p, n }, STR(""));
}

void traced_set_variables(struct traced_begun *b, struct variables *to, uint64_t thread,
			  const struct traced *t)
{
	struct str after = t->after_name;
	char room[THREAD_ROOM];
	bool known = !t->resumed && !t->is_rest;

	if (t->resumed) {
		struct begun_call *c = begun_of(b, thread);

		known = c->open;
		if (!c->open)
			c->n = 0;
		add_text(c, after);
		after = (struct str){ c->text, c->n };
		c->open = false;
	}
	if (!t->is_rest) {
		set_arguments(to, &after, known);
		set_result(to, after);
	}
	if (thread > 0) {
		int n = snprintf(room, sizeof(room), "%llu", (unsigned long long)thread);

		variables_set(to, variables_column(to, STR("process"), VARIABLE_LABEL),
			      (struct str){ room, (size_t)n }, STR(""));
	}
}
