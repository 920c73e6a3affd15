/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/input/input.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/input/input_parts.h"
#include "base/xalloc.h"

enum { LONGEST_KEPT = 64 * 1024 };

void input_drop_front(struct input *in, size_t n)
{
	if (n == 0)
		return;
	in->bytes = str_skip(in->bytes, n);
	if (in->owned != NULL) {
		memmove(in->owned, in->bytes.p, in->bytes.n);
		in->bytes.p = in->owned;
	}
}

bool input_drop_blank_lines(struct input *in)
{
	struct str s = in->bytes;
	size_t i, blank = 0, lines = 0;

	for (i = 0; i < s.n && (s.p[i] == '\n' || is_margin(s.p[i])); i++) {
		if (s.p[i] == '\n') {
			blank = i + 1;
			lines++;
		}
	}
	if (i == s.n)
		return false;
	in->lines_before += lines;
	input_drop_front(in, blank);
	return blank > 0;
}

void input_forget_lines(struct input *in)
{
	free(in->line_at);
	in->line_at = NULL;
	in->n_lines = in->cap_lines = 0;
}

size_t input_mark(struct str text)
{
	return str_has_prefix(text, STR("\xef\xbb\xbf")) ? 3 : 0;
}

void input_borrow(struct input *in, const char *name, const void *bytes, size_t n)
{
	*in = (struct input){ .name = str_from(name), .bytes = { bytes, n } };
	input_drop_front(in, input_mark(in->bytes));
	(void)input_drop_blank_lines(in);
}

void input_release(struct input *in)
{
	if (in->rest != NULL)
		in->rest->release(in->rest);
	free(in->owned);
	free(in->line_at);
	*in = (struct input){ .name = in->name };
}

static void add_line(struct input *in, size_t at)
{
	in->line_at = xgrow(in->line_at, &in->cap_lines, in->n_lines + 1, sizeof(*in->line_at));
	in->line_at[in->n_lines++] = at;
}

/* Finds all lines that begin up to this byte. */
static void find_lines(struct input *in, size_t upto)
{
	const char *newline;

	if (in->n_lines == 0)
		add_line(in, 0);
	for (;;) {
		size_t latest = in->line_at[in->n_lines - 1];
		struct str rest = str_skip(in->bytes, latest);

		if (latest >= upto || rest.n == 0 ||
		    (newline = memchr(rest.p, '\n', rest.n)) == NULL)
			return;
		add_line(in, (size_t)(newline - in->bytes.p) + 1);
	}
}

struct position input_position(struct input *in, size_t at)
{
	size_t low = 0, high;

	find_lines(in, at);
	high = in->n_lines;
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (in->line_at[middle] <= at)
			low = middle;
		else
			high = middle;
	}
	return (struct position){ in->lines_before + low + 1, at - in->line_at[low] + 1 };
}

struct str input_line(struct input *in, size_t at)
{
	/* input_position() finds the lines first. */
	size_t line_no = input_position(in, at).line - in->lines_before;
	struct str rest = str_skip(in->bytes, in->line_at[line_no - 1]), line, after;

	return str_cut(rest, '\n', &line, &after) ? line : rest;
}

/* A part of the bytes, cut to the line that it begins in. */
struct part {
	struct str line;
	size_t number, before, n;
};

static struct part find_part(struct input *in, struct str part)
{
	size_t at = (size_t)(part.p - in->bytes.p);
	struct position where = input_position(in, at);
	struct str line = input_line(in, at);
	size_t before = where.column - 1, after = line.n > before ? line.n - before : 0;

	return (struct part){ line, where.line, before, part.n < after ? part.n : after };
}

struct str input_keep_line(struct input *in, struct str part, struct input *ret_kept)
{
	struct part p = find_part(in, part);

	*ret_kept = (struct input){ .name = in->name, .lines_before = p.number - 1 };
	if (p.line.n > LONGEST_KEPT)
		return (struct str){ NULL, 0 };
	ret_kept->owned = xcalloc(p.line.n + 1, 1);
	if (p.line.n > 0)
		memcpy(ret_kept->owned, p.line.p, p.line.n);
	ret_kept->bytes = (struct str){ ret_kept->owned, p.line.n };
	return (struct str){ ret_kept->owned + p.before, p.n };
}

struct str input_copy_line(struct input *in, struct str part, struct arena *a,
			   struct line_copy *ret)
{
	struct part p = find_part(in, part);

	*ret = (struct line_copy){ .number = p.number };
	if (p.line.n > LONGEST_KEPT)
		return (struct str){ NULL, 0 };
	ret->text = arena_str(a, p.line);
	return (struct str){ ret->text.p + p.before, p.n };
}

void input_borrow_line(struct input *in, struct str name, const struct line_copy *line)
{
	*in = (struct input){ .name = name, .bytes = line->text, .lines_before = line->number - 1 };
}
