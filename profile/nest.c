/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/nest.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/out.h"
#include "base/quoted.h"
#include "base/scan.h"

static int cmp_ends(const struct nest_end *a, const struct nest_end *b)
{
	int order = a->both - b->both;

	if (order == 0)
		order = str_cmp(a->layer, b->layer);
	return order != 0 ? order : str_cmp(a->name, b->name);
}

int nest_cmp(const struct nest *a, const struct nest *b)
{
	int order = cmp_ends(&a->upper, &b->upper);

	return order != 0 ? order : cmp_ends(&a->lower, &b->lower);
}

static int by_ends(const void *a, const void *b)
{
	return nest_cmp(a, b);
}

/* Adds counts; the sum is measured only if both are. */
static bool add_counts(struct nest *to, const struct nest *more)
{
	to->measured &= more->measured;
	if (!to->measured) {
		to->reached = to->calls = 0;
		to->total = (struct decimal){ 0 };
		return true;
	}
	return !__builtin_add_overflow(to->reached, more->reached, &to->reached) &&
	       !__builtin_add_overflow(to->calls, more->calls, &to->calls) &&
	       decimal_add(to->total, more->total, &to->total);
}

bool nests_sort(struct nest *v, size_t *n)
{
	size_t kept = 0;

	if (*n > 1)
		qsort(v, *n, sizeof(*v), by_ends);
	for (size_t i = 0; i < *n; i++) {
		if (kept == 0 || nest_cmp(&v[kept - 1], &v[i]) != 0)
			v[kept++] = v[i];
		else if (!add_counts(&v[kept - 1], &v[i]))
			return false;
	}
	*n = kept;
	return true;
}

static void copy_end(struct arena *a, const struct nest_end *from, struct nest_end *to)
{
	to->both = from->both;
	to->layer = arena_str(a, from->layer);
	to->name = arena_str(a, from->name);
}

void nest_copy(struct arena *a, const struct nest *from, struct nest *to)
{
	*to = *from;
	copy_end(a, &from->upper, &to->upper);
	copy_end(a, &from->lower, &to->lower);
}

/* --- text ----------------------------------------------------------------------------- */

static const char bad_quotes[] = "expected a quote at the end, and within \\\\, \\\", \\n or \\xHH";

/* "name" or "layer"/"name" */
static const char *parse_quoted(struct arena *a, struct cursor *c, struct nest_end *ret)
{
	if (!quoted_scan(a, c, &ret->name))
		return bad_quotes;
	if (!scan_char(c, '/'))
		return NULL;
	ret->both = true;
	ret->layer = ret->name;
	return quoted_scan(a, c, &ret->name) ? NULL : bad_quotes;
}

/* Parses a name up to the next '>' or the end of the text. */
static const char *parse_end(struct arena *a, struct cursor *c, struct nest_end *ret)
{
	struct str rest;

	scan_blanks(c);
	*ret = (struct nest_end){ .layer = STR("") };
	rest = cursor_rest(c);
	if (rest.n > 0 && rest.p[0] == '"')
		return parse_quoted(a, c, ret);
	rest.n = str_find(rest, STR(">"));
	c->at += rest.n;
	ret->name = str_trim(rest);
	return ret->name.n > 0 ? NULL : "expected a name on both sides of >";
}

const char *nest_parse(struct arena *a, struct str text, struct nest **ret, size_t *ret_n)
{
	struct input in = { .bytes = text };
	struct cursor c = cursor_on(&in);
	size_t cap = 0, n = 0;
	struct nest *v = NULL;
	struct nest_end upper, lower;
	const char *wrong = parse_end(a, &c, &upper);

	for (; wrong == NULL; upper = lower) {
		scan_blanks(&c);
		if (cursor_done(&c))
			break;
		if (!scan_char(&c, '>'))
			return "expected > after a name";
		wrong = parse_end(a, &c, &lower);
		v = arena_grow(a, v, &cap, n + 1, sizeof(*v));
		v[n++] = (struct nest){ .upper = upper, .lower = lower };
	}
	if (wrong != NULL)
		return wrong;
	if (n == 0)
		return "expected UPPER > LOWER";
	*ret = v;
	*ret_n = n;
	return NULL;
}

void nest_end_write(struct out *o, const struct nest_end *e)
{
	if (e->both) {
		quoted_write_always(o, e->layer);
		out_char(o, '/');
		quoted_write_always(o, e->name);
	} else if (str_contains(e->name, STR(">"))) {
		quoted_write_always(o, e->name);
	} else {
		quoted_write(o, e->name);
	}
}

void nest_write(struct out *o, const struct nest *n)
{
	nest_end_write(o, &n->upper);
	out_text(o, " > ");
	nest_end_write(o, &n->lower);
}
