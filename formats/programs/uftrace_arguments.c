/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * "query@arg1;work@arg1/s,arg2/f,arg3/d32": functions by name or by regular expression.  Each
 * argument has 8 bytes unless its letter or its bits specify another size, padded to a multiple of
 * 4; a string is its length in 2 bytes, followed by its characters.
 */
#include "formats/programs/uftrace_arguments.h"

#include <inttypes.h>
#include <regex.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/scan.h"
#include "calls/call_sink.h"
#include "formats/text.h"

enum { MAX_ARGUMENTS = 32 };

struct argument {
	char letter; /* letter of its format */
	unsigned size;
};

struct uftrace_spec {
	struct str pattern;
	bool results, is_expression;
	regex_t expression;
	struct argument argument[MAX_ARGUMENTS];
	size_t n;
	struct uftrace_spec *next;
};

struct uftrace_specs {
	struct arena *arena;
	struct uftrace_spec *first, **last;
};

/* Parses "/s", "/d32", "/e:flags", "". */
static struct argument argument_of(struct str format)
{
	struct argument a = { 'd', 8 };
	uint64_t bits;

	if (format.n == 0)
		return a;
	a.letter = format.p[0];
	if (a.letter == 'c')
		a.size = 1;
	else if (a.letter == 'e')
		a.size = 4;
	if (number_u64(str_skip(format, 1), &bits) == NUMBER_OK && bits >= 8 && bits <= 128)
		a.size = (unsigned)bits / 8;
	else if (number_u64(format, &bits) == NUMBER_OK && bits >= 8 && bits <= 128)
		a = (struct argument){ 'd', (unsigned)bits / 8 };
	return a;
}

static void add_arguments(struct uftrace_spec *s, struct str list)
{
	while (list.n > 0 && s->n < MAX_ARGUMENTS) {
		struct str one = { list.p, str_find(list, STR(",")) };
		size_t slash = str_find(one, STR("/"));
		struct str format = str_skip(one, slash + 1);

		list = str_skip(list, one.n + 1);
		format.n = str_find(format, STR("%"));
		if (str_has_prefix(one, STR("arg")) || str_has_prefix(one, STR("fparg")) ||
		    str_has_prefix(one, STR("retval")))
			s->argument[s->n++] = argument_of(format);
	}
}

static bool is_plain(struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		if (memchr(".*+?[](){}^$|\\", s.p[i], 14) != NULL)
			return false;
	}
	return true;
}

static void add_spec(struct uftrace_specs *to, struct str one, bool results)
{
	struct uftrace_spec *s;
	struct str name, list;

	if (!str_cut(one, '@', &name, &list) || name.n == 0)
		return;
	s = arena_make(to->arena, struct uftrace_spec, 1);
	s->pattern = arena_str(to->arena, name);
	s->results = results;
	if (!is_plain(name))
		s->is_expression =
			regcomp(&s->expression, s->pattern.p, REG_NOSUB | REG_EXTENDED) == 0;
	add_arguments(s, list);
	*to->last = s;
	to->last = &s->next;
}

static void add_specs(struct uftrace_specs *to, struct str list, bool results)
{
	while (list.n > 0) {
		struct str one = { list.p, str_find(list, STR(";")) };

		add_spec(to, one, results);
		list = str_skip(list, one.n + 1);
	}
}

struct uftrace_specs *uftrace_specs_new(struct str info)
{
	static const struct {
		struct str key;
		bool results;
	} keys[] = {
		{ STR_INIT("argspec:"), false },
		{ STR_INIT("retspec:"), true },
		{ STR_INIT("argauto:"), false },
		{ STR_INIT("retauto:"), true },
	};
	struct arena *a = arena_new();
	struct uftrace_specs *s = arena_make(a, struct uftrace_specs, 1);

	s->arena = a;
	s->last = &s->first;
	for (size_t k = 0; k < COUNT_OF(keys); k++) {
		struct str rest = info, line;

		while (text_line(&rest, &line)) {
			if (str_has_prefix(line, keys[k].key))
				add_specs(s, str_skip(line, keys[k].key.n), keys[k].results);
		}
	}
	return s;
}

void uftrace_specs_free(struct uftrace_specs *s)
{
	for (struct uftrace_spec *one = s->first; one != NULL; one = one->next) {
		if (one->is_expression)
			regfree(&one->expression);
	}
	arena_free(s->arena);
}

const struct uftrace_spec *uftrace_spec_of(struct uftrace_specs *s, struct str name, bool results)
{
	struct arena *a = NULL;
	const struct uftrace_spec *found = NULL;

	for (const struct uftrace_spec *one = s->first; one != NULL && found == NULL;
	     one = one->next) {
		if (one->results != results)
			continue;
		if (!one->is_expression) {
			found = str_eq(one->pattern, name) ? one : NULL;
			continue;
		}
		if (a == NULL)
			a = arena_new();
		if (regexec(&one->expression, arena_str(a, name).p, 0, NULL, 0) == 0)
			found = one;
	}
	arena_free(a);
	return found;
}

/* --- their bytes ----------------------------------------------------------------------------- */

static size_t padded_size(size_t n, size_t to)
{
	return (n + to - 1) / to * to;
}

/* `number`: 0 for a result. */
static void uftrace_arguments_push(struct call_sink *to, unsigned number, struct str value)
{
	struct call_value v = { .value = value };
	char name[32];

	if (number == 0)
		(void)snprintf(name, sizeof(name), "result");
	else
		(void)snprintf(name, sizeof(name), "argument %u", number);
	v.of = str_from(name);
	to->class->value(to, &v);
}

static void push_number(struct call_sink *to, unsigned number, const struct argument *a,
			const unsigned char *bytes)
{
	uint64_t v = 0;
	char text[40];

	memcpy(&v, bytes, a->size < sizeof(v) ? a->size : sizeof(v));
	if (a->letter == 'f') {
		float narrow;
		double wide;

		memcpy(&narrow, bytes, sizeof(narrow));
		memcpy(&wide, &v, sizeof(wide));
		(void)snprintf(text, sizeof(text), "%g", a->size == 4 ? (double)narrow : wide);
	} else if (a->letter == 'x' || a->letter == 'p') {
		(void)snprintf(text, sizeof(text), "0x%" PRIx64, v);
	} else {
		(void)snprintf(text, sizeof(text), "%" PRIu64, v);
	}
	uftrace_arguments_push(to, number, str_from(text));
}

size_t uftrace_arguments(const struct uftrace_spec *spec, const unsigned char *bytes, size_t n,
			 struct call_sink *to)
{
	size_t at = 0;

	for (size_t i = 0; i < spec->n; i++) {
		const struct argument *a = &spec->argument[i];
		bool text = a->letter == 's' || a->letter == 'S';
		size_t size = a->size;

		if (text && n - at >= 2)
			size = 2 + ((size_t)bytes[at] | (size_t)bytes[at + 1] << 8);
		if (size > n - at)
			break;
		if (to != NULL && to->class->value != NULL && text)
			uftrace_arguments_push(
				to, spec->results ? 0 : (unsigned)i + 1,
				(struct str){ (const char *)bytes + at + 2, size - 2 });
		else if (to != NULL && to->class->value != NULL && size <= 16)
			push_number(to, spec->results ? 0 : (unsigned)i + 1, a, bytes + at);
		at += padded_size(size, 4);
		if (at > n)
			at = n;
	}
	at = padded_size(at, 8);
	return at < n ? at : n;
}
