/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/input/seekable.h"
#include "base/cancel.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/input/input.h"
#include "base/xalloc.h"

bool seekable_is_needed(const char *path)
{
	bool is_stdin = strcmp(path, "-") == 0;
	struct stat st;

	if (is_stdin ? fstat(STDIN_FILENO, &st) != 0 : stat(path, &st) != 0)
		return is_stdin;
	return is_stdin || !(S_ISREG(st.st_mode) || S_ISDIR(st.st_mode));
}

/* Whether a descriptor, such as standard input, is a file from which nothing was read yet. */
static bool is_whole_file(int fd, uint64_t *ret_size)
{
	struct stat st;

	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || lseek(fd, 0, SEEK_CUR) != 0)
		return false;
	*ret_size = (uint64_t)st.st_size;
	return true;
}

bool seekable_begin(struct seekable *s, struct input *in, const char *path,
		    const atomic_bool *cancelled, struct diag *diag)
{
	if (s->begun)
		return true;
	*s = (struct seekable){ .begun = true, .kept = -1, .from = STDIN_FILENO };
	if (strcmp(path, "-") != 0)
		s->from = cancel_open(path, cancelled);
	else if (is_whole_file(s->from, &s->n))
		s->kept = fcntl(s->from, F_DUPFD_CLOEXEC, 0);
	if (s->kept >= 0)
		s->from = -1;
	if (s->from >= 0 || s->kept >= 0)
		return true;
	diag_file(diag, DIAG_INPUT_UNREADABLE, in, "%s", strerror(errno));
	return false;
}

static void close_pipe(struct seekable *s)
{
	if (s->from > STDIN_FILENO)
		(void)close(s->from);
	s->from = -1;
}

void seekable_release(struct seekable *s)
{
	if (!s->begun)
		return;
	close_pipe(s);
	if (s->kept >= 0)
		(void)close(s->kept);
	free(s->memory);
	*s = (struct seekable){ .begun = false };
}

static const char *temporary_folder(void)
{
	const char *tmp = getenv("TMPDIR");

	return tmp != NULL && *tmp != '\0' ? tmp : "/tmp";
}

/* The disk is full, or the folder does not exist. */
static bool report_unkept(struct input *in, struct diag *diag)
{
	diag_file(
		diag, DIAG_INPUT_UNREADABLE, in,
		"a pipe is copied, to be read again, and %s has no room for it: %s; set TMPDIR to "
		"another folder, or give a file",
		temporary_folder(), strerror(errno));
	return false;
}

static bool keep_in_file(struct seekable *s, const char *bytes, size_t n)
{
	uint64_t at = s->n;

	while (n > 0) {
		ssize_t put = pwrite(s->kept, bytes, n, (off_t)at);

		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return false;
		bytes += put;
		n -= (size_t)put;
		at += (uint64_t)put;
	}
	return true;
}

/* Creates the file and unlinks it at once, so that nothing is left when the program is killed. */
static bool make_file(struct seekable *s)
{
	static const char name[] = "/osprof-XXXXXX";
	char *path = xcalloc(strlen(temporary_folder()) + sizeof(name), 1);
	uint64_t n = s->n;
	bool ok;

	strcpy(stpcpy(path, temporary_folder()), name);
	s->kept = mkostemp(path, O_CLOEXEC);
	ok = s->kept >= 0 && unlink(path) == 0;
	free(path);
	s->n = 0;
	ok = ok && keep_in_file(s, s->memory, (size_t)n);
	s->n = n;
	free(s->memory);
	s->memory = NULL;
	return ok;
}

static bool keep_bytes(struct seekable *s, const char *bytes, size_t n)
{
	if (s->kept < 0 && s->n + n > SEEKABLE_IN_MEMORY && !make_file(s))
		return false;
	if (s->kept >= 0)
		return keep_in_file(s, bytes, n);
	s->memory = xgrow(s->memory, &s->cap, (size_t)s->n + n, 1);
	memcpy(s->memory + s->n, bytes, n);
	return true;
}

/* Reads and keeps the next bytes of the pipe. */
static bool take_from_pipe(struct seekable *s, char *to, size_t room, size_t *ret_n,
			   struct input *in, struct diag *diag)
{
	ssize_t got;

	if (s->from < 0)
		return true;
	do
		got = read(s->from, to, room);
	while (got < 0 && errno == EINTR);
	if (got < 0) {
		diag_file(diag, DIAG_INPUT_UNREADABLE, in, "%s", strerror(errno));
		return false;
	}
	if (got == 0)
		close_pipe(s);
	if (got > 0 && !keep_bytes(s, to, (size_t)got))
		return report_unkept(in, diag);
	s->n += (uint64_t)got;
	*ret_n = (size_t)got;
	return true;
}

bool seekable_read(struct seekable *s, uint64_t at, char *to, size_t room, size_t *ret_n,
		   struct input *in, struct diag *diag)
{
	ssize_t got;

	*ret_n = 0;
	if (at >= s->n)
		return take_from_pipe(s, to, room, ret_n, in, diag);
	if (room > s->n - at)
		room = (size_t)(s->n - at);
	if (s->kept < 0) {
		memcpy(to, s->memory + at, room);
		*ret_n = room;
		return true;
	}
	do
		got = pread(s->kept, to, room, (off_t)at);
	while (got < 0 && errno == EINTR);
	if (got <= 0)
		return report_unkept(in, diag);
	*ret_n = (size_t)got;
	return true;
}
