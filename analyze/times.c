/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/times.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/call_reach.h"
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
	struct str rest;	    /* not parsed yet */
	struct known_time *section; /* what the last line in brackets says */
};

static bool report_wrong(struct fields *f, enum diag_code code, struct str part,
			 const char *expected)
{
	size_t n = part.n > 0 ? part.n : 1;

	diag_at(f->diag, code, f->in, (size_t)(part.p - f->in->bytes.p), n, "%s", expected);
	return false;
}

static bool take_field(struct fields *f, struct str *ret)
{
	struct str end = str_skip(f->rest, f->rest.n), field;

	if (!str_cut(f->rest, ',', &field, &f->rest))
		return report_wrong(f, DIAG_LINE_UNEXPECTED, end,
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
		return report_wrong(f, DIAG_NUMBER_BAD, *ret_where, "expected a time");
	if (!(v > 0) || isinf(v))
		return report_wrong(f, DIAG_NUMBER_RANGE, *ret_where, "a time has to be above 0");
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
		return report_wrong(f, DIAG_LINE_UNEXPECTED, word,
				    "expected the unit ns, us, ms or s");
	return true;
}

static bool take_line(struct arena *a, struct fields *f, struct known_time *ret)
{
	struct str name, low_at, high_at;
	double low, high, seconds;

	if (!take_field(f, &name))
		return false;
	if (name.n == 0)
		return report_wrong(f, DIAG_NAME_BAD, name, "a time needs a name");
	if (!take_number(f, &low, &low_at) || !take_number(f, &high, &high_at) ||
	    !take_unit(f, &seconds))
		return false;
	if (high < low)
		return report_wrong(f, DIAG_NUMBER_RANGE, high_at, "less than the lower end");
	if (str_trim(f->rest).n == 0)
		return report_wrong(f, DIAG_LINE_UNEXPECTED, f->rest, "expected a source");
	*ret = (struct known_time){
		.name = arena_str(a, name),
		.source = arena_str(a, str_trim(f->rest)),
		/* Divide: 85 / 1e6 is rounded once, 85 * 1e-6 twice. */
		.low = low / round(1 / seconds),
		.high = high / round(1 / seconds),
		.periodic = str_contains(name, STR("period")),
		.kinds = f->section->kinds,
		.linux_from = f->section->linux_from,
		.linux_to = f->section->linux_to,
	};
	return true;
}

/* --- lines in brackets -------------------------------------------------------------- */

/* Takes "6.6" as 6006; false when it is no version. */
static bool version_parse(struct str s, unsigned *ret)
{
	struct str major, minor;
	uint64_t a, b;

	if (!str_cut(s, '.', &major, &minor) || number_u64(major, &a) != NUMBER_OK ||
	    number_u64(minor, &b) != NUMBER_OK || a >= 1000 || b >= 1000)
		return false;
	*ret = (unsigned)(a * 1000 + b);
	return true;
}

static struct str leading_part(struct str s, const char *of)
{
	size_t n = 0;

	while (n < s.n && strchr(of, s.p[n]) != NULL)
		n++;
	return (struct str){ s.p, n };
}

unsigned linux_version(struct str kernel)
{
	static const struct str name = STR_INIT("Linux ");
	struct str major, minor;
	unsigned v;

	if (!str_has_prefix(kernel, name) ||
	    !str_cut(str_skip(kernel, name.n), '.', &major, &minor))
		return 0;
	minor = leading_part(minor, "0123456789");
	kernel = (struct str){ major.p, (size_t)(minor.p + minor.n - major.p) };
	return version_parse(kernel, &v) ? v : 0;
}

/* Takes "6.6-", "-6.5" or "2.6-6.5". */
static bool take_kernels(struct fields *f, struct str range)
{
	struct str from, to;

	f->section->linux_from = 0;
	f->section->linux_to = UINT_MAX;
	if (!str_cut(range, '-', &from, &to) || from.n + to.n == 0 ||
	    (from.n > 0 && !version_parse(from, &f->section->linux_from)) ||
	    (to.n > 0 && !version_parse(to, &f->section->linux_to)))
		return report_wrong(f, DIAG_LINE_UNEXPECTED, range,
				    "expected kernels, such as 6.6- or -6.5");
	return true;
}

static bool take_section(struct fields *f, struct str inside)
{
	struct str word, rest = str_trim(inside);
	bool kernels = false;

	*f->section = (struct known_time){ .kinds = 0 };
	while (rest.n > 0) {
		unsigned kind;

		if (!str_cut(rest, ' ', &word, &rest)) {
			word = rest;
			rest = str_skip(rest, rest.n);
		}
		if (kernels) {
			if (!take_kernels(f, word))
				return false;
			kernels = false;
		} else if (str_eq(word, STR("Linux"))) {
			kernels = true;
		} else if (call_reach_parse(word, &kind)) {
			f->section->kinds |= kind;
		} else if (word.n > 0) {
			return report_wrong(
				f, DIAG_LINE_UNEXPECTED, word,
				"expected memory, wait, process, timer, disk, network or "
				"Linux FROM-TO");
		}
	}
	return !kernels ||
	       report_wrong(f, DIAG_LINE_UNEXPECTED, inside, "expected kernels after Linux");
}

static bool is_section(struct str line)
{
	return line.n >= 2 && line.p[0] == '[' && line.p[line.n - 1] == ']';
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
	struct known_time *v = NULL, section = { .kinds = 0 };
	size_t n = 0, cap = 0;
	bool ok = true;

	while (ok && scan_line(&c, &line)) {
		struct fields f = { in, diag, str_trim(cursor_rest(&line)), &section };

		if (f.rest.n == 0 || f.rest.p[0] == '#')
			continue;
		if (is_section(f.rest)) {
			ok = take_section(&f, (struct str){ f.rest.p + 1, f.rest.n - 2 });
			continue;
		}
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

static bool may_explain(const struct known_time *t, const struct time_subject *of)
{
	unsigned kernel = of != NULL ? linux_version(of->kernel) : 0;

	if (of != NULL && t->kinds != 0 && (t->kinds & of->kinds) == 0)
		return false;
	return t->linux_to == 0 || kernel == 0 ||
	       (t->linux_from <= kernel && kernel <= t->linux_to);
}

size_t times_match(const struct known_times *t, double seconds, double within_octaves,
		   bool periodic_only, const struct time_subject *of,
		   struct time_hint ret[MAX_HINTS])
{
	size_t n = 0;

	if (!(seconds > 0) || isinf(seconds))
		return 0;
	for (size_t i = 0; i < t->n; i++) {
		struct time_hint h = { &t->v[i], octaves_apart(&t->v[i], seconds) };
		size_t at = n;

		if (h.octaves > within_octaves || (periodic_only && !h.time->periodic) ||
		    !may_explain(h.time, of))
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
