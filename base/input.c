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
#include "base/xalloc.h"

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

static bool too_large(struct input *in, size_t max_bytes, struct diag *diag)
{
	diag_file(diag, DIAG_INPUT_LARGE, in, "more than %zu bytes; --max-input raises the limit",
		  max_bytes);
	return false;
}

/* Read rather than mapped: a file that shrinks meanwhile must not end the program. */
static bool slurp(struct input *in, int fd, size_t max_bytes, struct diag *diag)
{
	struct stat st;
	size_t n = 0, cap = 0, hint = 64 * 1024;

	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && (uintmax_t)st.st_size < max_bytes)
		hint = (size_t)st.st_size + 1;
	for (;;) {
		ssize_t got;

		if (n == cap)
			in->owned = xgrow(in->owned, &cap, n + hint, 1);
		got = read(fd, in->owned + n, cap - n);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0) {
			diag_file(diag, DIAG_INPUT_UNREADABLE, in, "%s", strerror(errno));
			return false;
		}
		n += (size_t)got;
		if (n > max_bytes)
			return too_large(in, max_bytes, diag);
		if (got == 0)
			break;
	}
	in->bytes = (struct str){ in->owned, n };
	return true;
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
	done = slurp(&in, fd, max_bytes, diag);
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
