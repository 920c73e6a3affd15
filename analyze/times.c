/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/times.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/times_lines.h" /* made of times.txt by the build */
#include "base/arena.h"
#include "base/diag.h"
#include "base/out.h"
#include "base/scan.h"
#include "base/xalloc.h"
#include "profile/unit.h"

/* --- reading ---------------------------------------------------------------------- */

/* A line while it is parsed. */
struct fields {
	struct input *in;
	struct diag *diag;
	struct str rest; /* not parsed yet */
};

static bool wrong(struct fields *f, enum diag_code code, struct str part, const char *expected)
{
	size_t n = part.n > 0 ? part.n : 1;

	diag_at(f->diag, code, f->in, (size_t)(part.p - f->in->bytes.p), n, "%s", expected);
	return false;
}

static bool take_field(struct fields *f, struct str *ret)
{
	struct str end = str_skip(f->rest, f->rest.n), field;

	if (!str_cut(f->rest, ',', &field, &f->rest))
		return wrong(f, DIAG_LINE_UNEXPECTED, end,
			     "expected name, low, high, unit, source");
	*ret = str_trim(field);
	return true;
}

static bool take_number(struct fields *f, double *ret, struct str *ret_where)
{
	double v;

	if (!take_field(f, ret_where))
		return false;
	if (number_f64(*ret_where, &v) != NUMBER_OK)
		return wrong(f, DIAG_NUMBER_BAD, *ret_where, "expected a time");
	if (!(v > 0) || isinf(v))
		return wrong(f, DIAG_NUMBER_RANGE, *ret_where, "a time has to be above 0");
	*ret = v;
	return true;
}

static bool take_unit(struct fields *f, double *ret_seconds)
{
	struct str word;
	enum unit unit;

	if (!take_field(f, &word))
		return false;
	if (!unit_parse(word, &unit) || !unit_seconds(unit, 0, ret_seconds))
		return wrong(f, DIAG_LINE_UNEXPECTED, word, "expected the unit ns, us, ms or s");
	return true;
}

static bool take_line(struct arena *a, struct fields *f, struct known_time *ret)
{
	struct str name, low_at, high_at;
	double low, high, seconds;

	if (!take_field(f, &name))
		return false;
	if (name.n == 0)
		return wrong(f, DIAG_NAME_BAD, name, "a time needs a name");
	if (!take_number(f, &low, &low_at) || !take_number(f, &high, &high_at) ||
	    !take_unit(f, &seconds))
		return false;
	if (high < low)
		return wrong(f, DIAG_NUMBER_RANGE, high_at, "less than the lower end");
	if (str_trim(f->rest).n == 0)
		return wrong(f, DIAG_LINE_UNEXPECTED, f->rest, "expected a source");
	*ret = (struct known_time){
		.name = arena_str(a, name),
		.source = arena_str(a, str_trim(f->rest)),
		/* Divide: 85 / 1e6 is rounded once, 85 * 1e-6 twice. */
		.low = low / round(1 / seconds),
		.high = high / round(1 / seconds),
		.periodic = str_contains(name, STR("period")),
	};
	return true;
}

static struct known_times in_arena(struct arena *a, const struct known_time *v, size_t n)
{
	struct known_times t = { arena_make(a, struct known_time, n), n };

	if (n > 0)
		memcpy(t.v, v, n * sizeof(*v));
	return t;
}

bool times_read(struct arena *a, struct input *in, struct known_times *ret, struct diag *diag)
{
	struct cursor c = cursor_on(in), line;
	struct known_time *v = NULL;
	size_t n = 0, cap = 0;
	bool ok = true;

	while (ok && scan_line(&c, &line)) {
		struct fields f = { in, diag, str_trim(cursor_rest(&line)) };

		if (f.rest.n == 0 || f.rest.p[0] == '#')
			continue;
		v = xgrow(v, &cap, n + 1, sizeof(*v));
		ok = take_line(a, &f, &v[n]);
		n += ok;
	}
	if (ok)
		*ret = in_arena(a, v, n);
	free(v);
	return ok;
}

struct known_times times_built_in(struct arena *a)
{
	static const char *const lines[] = { TIMES_LINES };
	struct out *text = out_to_memory();
	struct known_times t = { .n = 0 };
	struct diag diag = { .emit = NULL };
	struct input in;
	bool ok;

	for (size_t i = 0; i < COUNT_OF(lines); i++) {
		out_text(text, lines[i]);
		out_char(text, '\n');
	}
	input_borrow(&in, "times.txt", out_memory(text).p, out_memory(text).n);
	ok = times_read(a, &in, &t, &diag);
	assert(ok);
	(void)ok;
	input_release(&in);
	out_free(text);
	return t;
}

static bool has_name(const struct known_times *t, struct str name)
{
	for (size_t i = 0; i < t->n; i++) {
		if (str_eq(t->v[i].name, name))
			return true;
	}
	return false;
}

struct known_times times_joined(struct arena *a, const struct known_times *first,
				const struct known_times *rest)
{
	struct known_times t = { arena_make(a, struct known_time, first->n + rest->n), 0 };

	for (size_t i = 0; i < first->n; i++)
		t.v[t.n++] = first->v[i];
	for (size_t i = 0; i < rest->n; i++) {
		if (!has_name(first, rest->v[i].name))
			t.v[t.n++] = rest->v[i];
	}
	return t;
}

/* --- matching --------------------------------------------------------------------- */

static double octaves_apart(const struct known_time *t, double seconds)
{
	return fmax(0, fmax(log2(t->low / seconds), log2(seconds / t->high)));
}

static bool is_better(const struct time_hint *a, const struct time_hint *b)
{
	if (a->octaves != b->octaves)
		return a->octaves < b->octaves;
	return a->time->high / a->time->low < b->time->high / b->time->low;
}

size_t times_match(const struct known_times *t, double seconds, double within_octaves,
		   bool periodic_only, struct time_hint ret[MAX_HINTS])
{
	size_t n = 0;

	if (!(seconds > 0) || isinf(seconds))
		return 0;
	for (size_t i = 0; i < t->n; i++) {
		struct time_hint h = { &t->v[i], octaves_apart(&t->v[i], seconds) };
		size_t at = n;

		if (h.octaves > within_octaves || (periodic_only && !h.time->periodic))
			continue;
		while (at > 0 && is_better(&h, &ret[at - 1]))
			at--;
		if (at == MAX_HINTS)
			continue;
		n = n < MAX_HINTS ? n + 1 : n;
		memmove(&ret[at + 1], &ret[at], (n - at - 1) * sizeof(*ret));
		ret[at] = h;
	}
	return n;
}
