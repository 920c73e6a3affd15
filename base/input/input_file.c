/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/input/input_file.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cancel.h"
#include "base/diag.h"
#include "base/input/decompress.h"
#include "base/input/encoding.h"
#include "base/input/input_parts.h"
#include "base/input/seekable.h"
#include "base/xalloc.h"

enum { CHUNK = 64 * 1024, LIKELY_WHOLE = 64 * 1024 * 1024, LONGEST_QUOTED = 64 * 1024 };

enum { MAX_STAGES = 5 }; /* decompressor, decoder, and three that the caller adds */

/* A filter, and the bytes that it has not consumed yet. */
struct stage {
	struct filter *filter;
	char *raw;	    /* output of the stage before it, or bytes of the file */
	struct str pending; /* the unconsumed part of raw */
	bool ended;	    /* no more input follows */
	enum filtered state;
};

/* An open file, read directly or through filters. */
struct file {
	struct input_rest rest;
	int fd;			   /* -1: none, or read to the end */
	struct seekable *seekable; /* read instead of the file; or NULL */
	uint64_t at;		   /* offset in the seekable */
	struct str memory;	   /* read instead of the file: what is left of it */
	size_t max_bytes;
	uint64_t size;		   /* on disk; 0: not known */
	struct input_watch *watch; /* may be NULL */
	size_t cap;		   /* size of the buffer for the bytes */
	struct stage stages[MAX_STAGES];
	size_t n_stages;
};

static void close_file(struct file *r)
{
	if (r->fd > STDIN_FILENO)
		(void)close(r->fd);
	r->fd = -1;
}

static struct file *file_of(const struct input *in)
{
	return (struct file *)in->rest;
}

static void release_file(struct input_rest *rest)
{
	struct file *r = (struct file *)rest;

	close_file(r);
	for (size_t i = 0; i < r->n_stages; i++) {
		r->stages[i].filter->free(r->stages[i].filter);
		free(r->stages[i].raw);
	}
	free(r);
}

static struct file *new_file(int fd, size_t max_bytes)
{
	struct file *r = xcalloc(1, sizeof(*r));

	r->rest.release = release_file;
	r->fd = fd;
	r->max_bytes = max_bytes;
	return r;
}

static void close_rest(struct input *in)
{
	if (in->rest == NULL)
		return;
	in->rest->release(in->rest);
	in->rest = NULL;
}

static bool too_large(struct input *in, size_t max_bytes, const char *when, struct diag *diag)
{
	diag_file(diag, DIAG_INPUT_LARGE, in, "more than %zu bytes%s; --max-input raises the limit",
		  max_bytes, when);
	return false;
}

static void count_taken(struct file *r, size_t n)
{
	if (r->watch != NULL)
		atomic_fetch_add(&r->watch->taken, (uint64_t)n);
}

static const atomic_bool *cancelled_by(const struct input_watch *watch)
{
	return watch != NULL ? watch->cancelled : NULL;
}

/* Returns the descriptor that the next bytes come from; -1: none. */
static int next_from(const struct file *r)
{
	if (r->seekable == NULL)
		return r->fd;
	return r->at < r->seekable->n ? -1 : r->seekable->from;
}

static bool report_unreadable(struct input *in, struct diag *diag)
{
	diag_file(diag, DIAG_INPUT_UNREADABLE, in, "%s", strerror(errno));
	return false;
}

static bool take_seekable(struct input *in, char *to, size_t room, size_t *ret_n, struct diag *diag)
{
	struct file *r = file_of(in);

	if (!seekable_read(r->seekable, r->at, to, room, ret_n, in, diag))
		return false;
	r->at += *ret_n;
	count_taken(r, *ret_n);
	return true;
}

static void take_memory(struct file *r, char *to, size_t room, size_t *ret_n)
{
	*ret_n = room < r->memory.n ? room : r->memory.n;
	memcpy(to, r->memory.p, *ret_n);
	r->memory = str_skip(r->memory, *ret_n);
	count_taken(r, *ret_n);
}

/* Reads the next bytes of the file, unfiltered; *ret_n is 0 at the end. */
static bool read_unfiltered(struct input *in, char *to, size_t room, size_t *ret_n,
			    struct diag *diag)
{
	struct file *r = file_of(in);
	ssize_t got;

	*ret_n = 0;
	if (!cancel_wait(next_from(r), cancelled_by(r->watch)))
		return report_unreadable(in, diag);
	if (r->seekable != NULL)
		return take_seekable(in, to, room, ret_n, diag);
	if (r->memory.n > 0) {
		take_memory(r, to, room, ret_n);
		return true;
	}
	if (r->fd < 0)
		return true;
	do
		got = read(r->fd, to, room);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return report_unreadable(in, diag);
	if (got == 0)
		close_file(r);
	*ret_n = (size_t)got;
	count_taken(r, (size_t)got);
	return true;
}

static bool report_damaged(const struct stage *s, struct input *place, struct diag *diag)
{
	if (s->state == FILTERED_BAD)
		diag_at(diag, s->filter->bad, place, place->bytes.n, 1,
			"the %s is damaged after this: %s", s->filter->of, s->filter->why);
	else
		diag_at(diag, DIAG_INPUT_TRUNCATED, place, place->bytes.n, 1,
			"the %s is cut off here", s->filter->of);
	return false;
}

/* Reads the output of the first n_stages stages. */
static bool take_filtered(struct input *in, size_t n_stages, char *to, size_t room, size_t *ret_n,
			  struct input *place, struct diag *diag)
{
	struct stage *s;
	size_t got = 0;

	if (n_stages == 0)
		return read_unfiltered(in, to, room, ret_n, diag);
	s = &file_of(in)->stages[n_stages - 1];
	if (s->state == FILTERED_BAD)
		return report_damaged(s, place, diag);
	do {
		if (s->pending.n == 0 && !s->ended) {
			if (!take_filtered(in, n_stages - 1, s->raw, CHUNK, &got, place, diag))
				return false;
			s->pending = (struct str){ s->raw, got };
			s->ended = got == 0;
		}
		s->state = s->filter->run(s->filter, &s->pending, s->ended, to, room, &got);
	} while (got == 0 && s->state != FILTERED_BAD && (s->pending.n > 0 || !s->ended));
	/* Output from before the damage is returned first. */
	if (got == 0 && s->state != FILTERED_END)
		return report_damaged(s, place, diag);
	*ret_n = got;
	return true;
}

bool input_next(struct input *in, char *to, size_t room, size_t *ret_n, struct input *place,
		struct diag *diag)
{
	*ret_n = 0;
	return in->rest == NULL ||
	       take_filtered(in, file_of(in)->n_stages, to, room, ret_n, place, diag);
}

bool input_is_text(struct input *in, struct str part, struct diag *diag)
{
	const char *nul = part.n > 0 ? memchr(part.p, '\0', part.n) : NULL;

	if (nul == NULL)
		return true;
	diag_at(diag, DIAG_INPUT_BINARY, in, (size_t)(nul - in->bytes.p), 1,
		"a NUL byte; expected the text that a collector prints");
	return false;
}

size_t input_limit(const struct input *in)
{
	return file_of(in)->max_bytes;
}

/* Appends bytes until there are `enough`, or to the end. */
static bool fill_input(struct input *in, size_t enough, size_t hint, struct diag *diag)
{
	size_t n = in->bytes.n, *cap = &file_of(in)->cap, room, got;

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
	const struct file *r = file_of(in);

	return in->bytes.n <= r->max_bytes ||
	       too_large(in, r->max_bytes, r->n_stages > 0 ? " when decompressed" : "", diag);
}

bool input_complete(struct input *in, struct diag *diag)
{
	struct file *r = file_of(in);
	size_t hint = CHUNK;

	if (r == NULL)
		return true;
	if (r->n_stages == 0 && r->size > in->bytes.n && r->size < r->max_bytes)
		hint = (size_t)r->size - in->bytes.n + 1;
	if (r->max_bytes == SIZE_MAX)
		r->max_bytes--;
	if (!fill_input(in, r->max_bytes + 1, hint, diag) || !refuse_large(in, diag))
		return false;
	close_rest(in);
	return true;
}

bool input_complete_from(struct input *in, char *owned, size_t n, size_t lines_before,
			 struct diag *diag)
{
	free(in->owned);
	input_forget_lines(in);
	in->owned = owned;
	in->bytes = (struct str){ owned, n };
	in->lines_before = lines_before;
	if (in->rest != NULL)
		file_of(in)->cap = n;
	return input_complete(in, diag);
}

/* Adds a filter for the bytes read so far and those that follow. */
static void add_stage(struct input *in, struct filter *filter)
{
	struct file *r = file_of(in);
	struct stage *s = &r->stages[r->n_stages++];

	assert(r->n_stages <= MAX_STAGES);
	*s = (struct stage){ .filter = filter };
	s->raw = xreallocarray(in->owned, in->bytes.n > CHUNK ? in->bytes.n : CHUNK, 1);
	s->pending = (struct str){ s->raw, in->bytes.n };
	r->cap = 0;
	in->owned = NULL;
	in->bytes = (struct str){ NULL, 0 };
}

/* Whether the first line that is not blank ends in s, or is too long to be shown in messages. */
static bool has_line(struct str s)
{
	size_t i = 0;

	while (i < s.n && (s.p[i] == '\n' || is_margin(s.p[i])))
		i++;
	return i < s.n && (memchr(s.p + i, '\n', s.n - i) != NULL || s.n - i > LONGEST_QUOTED);
}

/* Reads one byte more than `head`, to learn whether anything follows.  Leading blank lines do not
 * count, and the first line is read to its end, since messages show it. */
static bool fill_head(struct input *in, size_t head, size_t hint, struct diag *diag)
{
	bool again = true;

	while (again) {
		if (!fill_input(in, head + 1, hint, diag))
			return false;
		again = input_drop_blank_lines(in);
		if (!again && in->bytes.n > head && head < file_of(in)->max_bytes &&
		    !has_line(in->bytes)) {
			head = 2 * head + 1;
			again = true;
		}
	}
	return true;
}

/* Closes the file if it was read to its end. */
static void close_if_whole(struct input *in, size_t head)
{
	if (in->bytes.n <= head)
		close_rest(in);
}

bool input_filter(struct input *in, struct filter *f, struct diag *diag)
{
	size_t head = in->bytes.n;

	if (in->rest == NULL)
		in->rest = &new_file(-1, SIZE_MAX - 1)->rest;
	if (in->owned == NULL) {
		in->owned = xcalloc(head + 1, 1);
		memcpy(in->owned, in->bytes.p, head);
	}
	input_forget_lines(in);
	add_stage(in, f);
	if (!fill_head(in, head, CHUNK, diag))
		return false;
	close_if_whole(in, head);
	return true;
}

/* Files are read, not mapped: a file that shrinks meanwhile must not crash the program. */
static bool read_head(struct input *in, size_t head, struct diag *diag)
{
	size_t hint = CHUNK;
	struct filter *filter;

	/* Allocate room for all of it where that is likely to be needed: memory costs nothing
	 * until it is written to. */
	if (file_of(in)->size > 0)
		hint = file_of(in)->size < LIKELY_WHOLE ? (size_t)file_of(in)->size + 1 : head + 1;
	if (!fill_input(in, DECOMPRESS_HEAD, hint, diag))
		return false;
	filter = decompressor_for(in->bytes);
	if (filter != NULL) {
		add_stage(in, filter);
		hint = CHUNK;
		if (!fill_input(in, ENCODING_HEAD, hint, diag))
			return false;
	}
	filter = decoder_for(in->bytes);
	if (filter != NULL)
		add_stage(in, filter);
	else
		input_drop_front(in, input_mark(in->bytes));
	return fill_head(in, head, filter != NULL ? CHUNK : hint, diag);
}

/* Reads the beginning of an open file; releases it on failure. */
static bool begin_file(struct input *ret_in, struct input *in, struct file *file, size_t head,
		       struct input_watch *watch, struct diag *diag)
{
	bool ok;

	in->rest = &file->rest;
	file->watch = watch;
	if (watch != NULL)
		atomic_store(&watch->size, file->size);
	ok = read_head(in, head, diag) && (in->bytes.n > head || refuse_large(in, diag));
	close_if_whole(in, head);
	if (!ok) {
		input_release(in);
		return false;
	}
	*ret_in = *in;
	return true;
}

bool input_begin(struct input *ret_in, const char *path, size_t head, size_t max_bytes,
		 struct input_watch *watch, struct diag *diag)
{
	struct input in = { .name = str_from(path) };
	bool is_stdin = strcmp(path, "-") == 0;
	int fd = is_stdin ? STDIN_FILENO : cancel_open(path, cancelled_by(watch));
	struct file *file;
	struct stat st;

	if (fd < 0)
		return report_unreadable(&in, diag);
	file = new_file(fd, max_bytes);
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		file->size = (uint64_t)st.st_size;
	return begin_file(ret_in, &in, file, head, watch, diag);
}

bool input_begin_seekable(struct input *ret_in, const char *path, struct seekable *seekable,
			  size_t head, size_t max_bytes, struct input_watch *watch,
			  struct diag *diag)
{
	struct input in = { .name = str_from(path) };
	struct file *file;

	if (!seekable_begin(seekable, &in, path, cancelled_by(watch), diag))
		return false;
	file = new_file(-1, max_bytes);
	file->seekable = seekable;
	return begin_file(ret_in, &in, file, head, watch, diag);
}

bool input_begin_memory(struct input *ret_in, const char *name, struct str bytes, size_t head,
			size_t max_bytes, struct input_watch *watch, struct diag *diag)
{
	struct input in = { .name = str_from(name) };
	struct file *file = new_file(-1, max_bytes);

	file->memory = bytes;
	file->size = bytes.n;
	return begin_file(ret_in, &in, file, head, watch, diag);
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
