/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/expand.h"
#include "base/xalloc.h"

enum { CHUNK = 64 * 1024 };

void input_borrow(struct input *in, const char *name, const void *bytes, size_t n)
{
	*in = (struct input){ .name = str_from(name), .bytes = { bytes, n } };
}

void input_release(struct input *in)
{
	free(in->owned);
	free(in->line_at);
	*in = (struct input){ .name = in->name };
}

static bool too_large(struct input *in, size_t max_bytes, const char *when, struct diag *diag)
{
	diag_file(diag, DIAG_INPUT_LARGE, in, "more than %zu bytes%s; --max-input raises the limit",
		  max_bytes, when);
	return false;
}

/* What a file gives: as it is, or expanded on the way. */
struct source {
	struct input *in;
	struct diag *diag;
	int fd;
	size_t max_bytes;
	size_t n, cap; /* bytes of in->owned that are taken, that there are */
};

/* The next bytes; *ret_n is 0 at the end. */
static bool take(struct source *s, char *to, size_t room, size_t *ret_n)
{
	ssize_t got;

	do
		got = read(s->fd, to, room);
	while (got < 0 && errno == EINTR);
	if (got < 0) {
		diag_file(s->diag, DIAG_INPUT_UNREADABLE, s->in, "%s", strerror(errno));
		return false;
	}
	*ret_n = (size_t)got;
	return true;
}

static void make_room(struct source *s, size_t hint)
{
	if (s->n == s->cap)
		s->in->owned = xgrow(s->in->owned, &s->cap, s->n + hint, 1);
}

/* Expanded bytes, up to the limit.  A place in them is that of the text. */
static bool expand(struct source *s, struct expander *e, struct str rest, char *raw)
{
	enum expanded what = EXPANDED_PART;
	bool more = true;
	size_t got;

	for (;;) {
		if (rest.n == 0 && more) {
			if (!take(s, raw, CHUNK, &got))
				return false;
			rest = (struct str){ raw, got };
			more = got > 0;
		}
		make_room(s, CHUNK);
		what = expander_run(e, &rest, s->in->owned + s->n, s->cap - s->n, &got);
		s->n += got;
		s->in->bytes = (struct str){ s->in->owned, s->n };
		if (s->n > s->max_bytes)
			return too_large(s->in, s->max_bytes, " when expanded", s->diag);
		if (what == EXPANDED_BAD || (got == 0 && rest.n == 0 && !more))
			break;
	}
	if (what == EXPANDED_BAD)
		diag_at(s->diag, DIAG_COMPRESSED_BAD, s->in, s->n, 1,
			"the compressed stream is damaged behind this: %s", expander_why(e));
	else if (what == EXPANDED_PART)
		diag_at(s->diag, DIAG_INPUT_TRUNCATED, s->in, s->n, 1,
			"the compressed stream is cut off here");
	return what == EXPANDED_END;
}

/* The bytes read so far are the first of something compressed. */
static bool slurp_expanded(struct source *s, enum compression c)
{
	char *first = s->in->owned, *raw = xcalloc(CHUNK, 1);
	struct expander *e = expander_new(c);
	struct str rest = { first, s->n };
	bool done;

	s->in->owned = NULL;
	s->n = s->cap = 0;
	done = expand(s, e, rest, raw);
	expander_free(e);
	free(raw);
	free(first);
	return done;
}

/* Read rather than mapped: a file that shrinks meanwhile must not end the program. */
static bool slurp(struct source *s)
{
	size_t hint = CHUNK, got;
	struct stat st;

	if (fstat(s->fd, &st) == 0 && S_ISREG(st.st_mode) && (uintmax_t)st.st_size < s->max_bytes)
		hint = (size_t)st.st_size + 1;
	for (bool known = false;;) {
		make_room(s, hint);
		if (!take(s, s->in->owned + s->n, s->cap - s->n, &got))
			return false;
		s->n += got;
		s->in->bytes = (struct str){ s->in->owned, s->n };
		if (!known && (got == 0 || s->n >= COMPRESSION_HEAD)) {
			enum compression c = compression_of(s->in->bytes);

			if (c != COMPRESSION_NONE)
				return slurp_expanded(s, c);
			known = true;
		}
		if (s->n > s->max_bytes)
			return too_large(s->in, s->max_bytes, "", s->diag);
		if (got == 0)
			return true;
	}
}

bool input_open(struct input *ret_in, const char *path, size_t max_bytes, struct diag *diag)
{
	struct input in = { .name = str_from(path) };
	bool is_stdin = strcmp(path, "-") == 0, done;
	int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0) {
		diag_file(diag, DIAG_INPUT_UNREADABLE, &in, "%s", strerror(errno));
		return false;
	}
	done = slurp(&(struct source){ .in = &in, .diag = diag, .fd = fd, .max_bytes = max_bytes });
	if (!is_stdin)
		(void)close(fd);
	if (!done) {
		input_release(&in);
		return false;
	}
	*ret_in = in;
	return true;
}

static void find_lines(struct input *in)
{
	const char *from = in->bytes.p, *end = from + in->bytes.n, *newline;
	size_t cap = 0;

	in->line_at = xgrow(NULL, &cap, 1, sizeof(*in->line_at));
	in->line_at[in->n_lines++] = 0;
	while (from < end && (newline = memchr(from, '\n', (size_t)(end - from))) != NULL) {
		from = newline + 1;
		in->line_at = xgrow(in->line_at, &cap, in->n_lines + 1, sizeof(*in->line_at));
		in->line_at[in->n_lines++] = (size_t)(from - in->bytes.p);
	}
}

struct position input_position(struct input *in, size_t at)
{
	size_t low = 0, high;

	if (in->line_at == NULL)
		find_lines(in);
	high = in->n_lines;
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (in->line_at[middle] <= at)
			low = middle;
		else
			high = middle;
	}
	return (struct position){ low + 1, at - in->line_at[low] + 1 };
}

struct str input_line(struct input *in, size_t at)
{
	size_t line_no = input_position(in, at).line; /* finds the lines first */
	struct str rest = str_skip(in->bytes, in->line_at[line_no - 1]), line, after;

	return str_cut(rest, '\n', &line, &after) ? line : rest;
}
