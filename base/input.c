/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/input.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/encoding.h"
#include "base/expand.h"
#include "base/xalloc.h"

enum { CHUNK = 64 * 1024, LIKELY_WHOLE = 64 * 1024 * 1024, LONGEST_KEPT = 64 * 1024 };

static void drop_front(struct input *in, size_t n)
{
	if (n == 0)
		return;
	in->bytes = str_skip(in->bytes, n);
	if (in->owned != NULL) {
		memmove(in->owned, in->bytes.p, in->bytes.n);
		in->bytes.p = in->owned;
	}
}

/* Those before a line that is not blank; false when there are none. */
static bool drop_blank_lines(struct input *in)
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
	drop_front(in, blank);
	return blank > 0;
}

static void forget_lines(struct input *in)
{
	free(in->line_at);
	in->line_at = NULL;
	in->n_lines = 0;
}

void input_borrow(struct input *in, const char *name, const void *bytes, size_t n)
{
	*in = (struct input){ .name = str_from(name), .bytes = { bytes, n } };
	drop_front(in, encoding_mark(in->bytes));
	(void)drop_blank_lines(in);
}

enum { MAX_STAGES = 5 }; /* what is compressed, its encoding, three that the caller adds */

/* A filter, and what it has yet to take. */
struct stage {
	struct filter *filter;
	char *raw;	    /* what came out of the stage before it, or of the file */
	struct str pending; /* of raw */
	bool ended;	    /* nothing more comes */
	enum filtered state;
};

/* A file that is open: what it gives, as it is or through filters. */
struct input_rest {
	int fd; /* -1: all that it had was read */
	size_t max_bytes;
	uint64_t size;		   /* of the file as it lies there; 0: not known */
	struct input_watch *watch; /* may be NULL */
	size_t cap;		   /* room for the bytes */
	struct stage stages[MAX_STAGES];
	size_t n_stages;
};

static void close_file(struct input_rest *r)
{
	if (r->fd > STDIN_FILENO)
		(void)close(r->fd);
	r->fd = -1;
}

static void close_rest(struct input *in)
{
	struct input_rest *r = in->rest;

	if (r == NULL)
		return;
	close_file(r);
	for (size_t i = 0; i < r->n_stages; i++) {
		r->stages[i].filter->free(r->stages[i].filter);
		free(r->stages[i].raw);
	}
	free(r);
	in->rest = NULL;
}

void input_release(struct input *in)
{
	close_rest(in);
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

/* The next bytes of the file itself; *ret_n is 0 at the end. */
static bool take(struct input *in, char *to, size_t room, size_t *ret_n, struct diag *diag)
{
	struct input_rest *r = in->rest;
	ssize_t got;

	*ret_n = 0;
	if (r->fd < 0)
		return true;
	do
		got = read(r->fd, to, room);
	while (got < 0 && errno == EINTR);
	if (got < 0) {
		diag_file(diag, DIAG_INPUT_UNREADABLE, in, "%s", strerror(errno));
		return false;
	}
	if (got == 0)
		close_file(r);
	*ret_n = (size_t)got;
	if (r->watch != NULL)
		atomic_fetch_add(&r->watch->taken, (uint64_t)got);
	return true;
}

static bool report_damaged(const struct stage *s, struct input *already, struct diag *diag)
{
	if (s->state == FILTERED_BAD)
		diag_at(diag, s->filter->bad, already, already->bytes.n, 1,
			"the %s is damaged after this: %s", s->filter->of, s->filter->why);
	else
		diag_at(diag, DIAG_INPUT_TRUNCATED, already, already->bytes.n, 1,
			"the %s is cut off here", s->filter->of);
	return false;
}

/* What comes out of the first so many stages. */
static bool take_filtered(struct input *in, size_t n_stages, char *to, size_t room, size_t *ret_n,
			  struct input *already, struct diag *diag)
{
	struct stage *s;
	size_t got = 0;

	if (n_stages == 0)
		return take(in, to, room, ret_n, diag);
	s = &in->rest->stages[n_stages - 1];
	if (s->state == FILTERED_BAD)
		return report_damaged(s, already, diag);
	do {
		if (s->pending.n == 0 && !s->ended) {
			if (!take_filtered(in, n_stages - 1, s->raw, CHUNK, &got, already, diag))
				return false;
			s->pending = (struct str){ s->raw, got };
			s->ended = got == 0;
		}
		s->state = s->filter->run(s->filter, &s->pending, s->ended, to, room, &got);
	} while (got == 0 && s->state != FILTERED_BAD && (s->pending.n > 0 || !s->ended));
	/* What came out before the damage is handed over first. */
	if (got == 0 && s->state != FILTERED_END)
		return report_damaged(s, already, diag);
	*ret_n = got;
	return true;
}

bool input_next(struct input *in, char *to, size_t room, size_t *ret_n, struct input *already,
		struct diag *diag)
{
	*ret_n = 0;
	return in->rest == NULL ||
	       take_filtered(in, in->rest->n_stages, to, room, ret_n, already, diag);
}

size_t input_limit(const struct input *in)
{
	return in->rest->max_bytes;
}

/* Appends what comes, to `enough` bytes or to the end. */
static bool fill(struct input *in, size_t enough, size_t hint, struct diag *diag)
{
	size_t n = in->bytes.n, *cap = &in->rest->cap, room, got;

	for (;;) {
		if (n == *cap)
			in->owned = xgrow(in->owned, cap, n + hint, 1);
		in->bytes = (struct str){ in->owned, n };
		if (n >= enough)
			return true;
		room = *cap - n < enough - n ? *cap - n : enough - n;
		if (!input_next(in, in->owned + n, room, &got, in, diag))
			return false;
		n += got;
		if (got == 0)
			return true;
	}
}

static bool refuse_large(struct input *in, struct diag *diag)
{
	const struct input_rest *r = in->rest;

	return in->bytes.n <= r->max_bytes ||
	       too_large(in, r->max_bytes, r->n_stages > 0 ? " when decompressed" : "", diag);
}

bool input_complete(struct input *in, struct diag *diag)
{
	struct input_rest *r = in->rest;
	size_t hint = CHUNK;

	if (r == NULL)
		return true;
	if (r->n_stages == 0 && r->size > in->bytes.n && r->size < r->max_bytes)
		hint = (size_t)r->size - in->bytes.n + 1;
	if (r->max_bytes == SIZE_MAX)
		r->max_bytes--;
	if (!fill(in, r->max_bytes + 1, hint, diag) || !refuse_large(in, diag))
		return false;
	close_rest(in);
	return true;
}

bool input_complete_from(struct input *in, char *owned, size_t n, size_t lines_before,
			 struct diag *diag)
{
	free(in->owned);
	forget_lines(in);
	in->owned = owned;
	in->bytes = (struct str){ owned, n };
	in->lines_before = lines_before;
	if (in->rest != NULL)
		in->rest->cap = n;
	return input_complete(in, diag);
}

/* The bytes read so far, and those that follow, go through it. */
static void add_stage(struct input *in, struct filter *filter)
{
	struct input_rest *r = in->rest;
	struct stage *s = &r->stages[r->n_stages++];

	assert(r->n_stages <= MAX_STAGES);
	*s = (struct stage){ .filter = filter };
	s->raw = xreallocarray(in->owned, in->bytes.n > CHUNK ? in->bytes.n : CHUNK, 1);
	s->pending = (struct str){ s->raw, in->bytes.n };
	r->cap = 0;
	in->owned = NULL;
	in->bytes = (struct str){ NULL, 0 };
}

/* Whether the first line that is not blank ends in s, or is too long to be quoted. */
static bool has_line(struct str s)
{
	size_t i = 0;

	while (i < s.n && (s.p[i] == '\n' || is_margin(s.p[i])))
		i++;
	return i < s.n && (memchr(s.p + i, '\n', s.n - i) != NULL || s.n - i > LONGEST_KEPT);
}

/* To one byte more than asked for, which tells whether anything follows; blank lines before the
 * first are not counted, and that line is read to its end, as messages quote it. */
static bool fill_head(struct input *in, size_t head, size_t hint, struct diag *diag)
{
	bool again = true;

	while (again) {
		if (!fill(in, head + 1, hint, diag))
			return false;
		again = drop_blank_lines(in);
		if (!again && in->bytes.n > head && head < in->rest->max_bytes &&
		    !has_line(in->bytes)) {
			head = 2 * head + 1;
			again = true;
		}
	}
	return true;
}

/* Where it ended there, nothing more is to come. */
static void close_if_whole(struct input *in, size_t head)
{
	if (in->bytes.n <= head)
		close_rest(in);
}

bool input_filter(struct input *in, struct filter *f, struct diag *diag)
{
	size_t head = in->bytes.n;

	if (in->rest == NULL) {
		in->rest = xcalloc(1, sizeof(*in->rest));
		in->rest->fd = -1;
		in->rest->max_bytes = SIZE_MAX - 1;
	}
	if (in->owned == NULL) {
		in->owned = xcalloc(head + 1, 1);
		memcpy(in->owned, in->bytes.p, head);
	}
	forget_lines(in);
	add_stage(in, f);
	if (!fill_head(in, head, CHUNK, diag))
		return false;
	close_if_whole(in, head);
	return true;
}

/* Read rather than mapped: a file that shrinks meanwhile must not end the program. */
static bool read_head(struct input *in, size_t head, struct diag *diag)
{
	size_t hint = CHUNK;
	struct filter *filter;

	/* Room for all of it, where that is likely to be asked for: it costs nothing until it is
	 * written to. */
	if (in->rest->size > 0)
		hint = in->rest->size < LIKELY_WHOLE ? (size_t)in->rest->size + 1 : head + 1;
	if (!fill(in, EXPAND_HEAD, hint, diag))
		return false;
	filter = decompressor_for(in->bytes);
	if (filter != NULL) {
		add_stage(in, filter);
		hint = CHUNK;
		if (!fill(in, ENCODING_HEAD, hint, diag))
			return false;
	}
	filter = decoder_for(in->bytes);
	if (filter != NULL)
		add_stage(in, filter);
	else
		drop_front(in, encoding_mark(in->bytes));
	return fill_head(in, head, filter != NULL ? CHUNK : hint, diag);
}

bool input_begin(struct input *ret_in, const char *path, size_t head, size_t max_bytes,
		 struct input_watch *watch, struct diag *diag)
{
	struct input in = { .name = str_from(path) };
	bool is_stdin = strcmp(path, "-") == 0, ok;
	int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;

	if (fd < 0) {
		diag_file(diag, DIAG_INPUT_UNREADABLE, &in, "%s", strerror(errno));
		return false;
	}
	in.rest = xcalloc(1, sizeof(*in.rest));
	in.rest->fd = fd;
	in.rest->max_bytes = max_bytes;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		in.rest->size = (uint64_t)st.st_size;
	in.rest->watch = watch;
	if (watch != NULL)
		atomic_store(&watch->size, in.rest->size);
	ok = read_head(&in, head, diag) && (in.bytes.n > head || refuse_large(&in, diag));
	close_if_whole(&in, head);
	if (!ok) {
		input_release(&in);
		return false;
	}
	*ret_in = in;
	return true;
}

bool input_open(struct input *ret_in, const char *path, size_t max_bytes, struct diag *diag)
{
	struct input in;

	if (!input_begin(&in, path, INPUT_HEAD, max_bytes, NULL, diag))
		return false;
	if (!input_complete(&in, diag)) {
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
	return (struct position){ in->lines_before + low + 1, at - in->line_at[low] + 1 };
}

struct str input_line(struct input *in, size_t at)
{
	/* Finds the lines first. */
	size_t line_no = input_position(in, at).line - in->lines_before;
	struct str rest = str_skip(in->bytes, in->line_at[line_no - 1]), line, after;

	return str_cut(rest, '\n', &line, &after) ? line : rest;
}

/* A part of the bytes in the line that it begins in, no longer than the line. */
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
