/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Standard input, FIFOs, and files that grow.
 *
 * A file is followed by name: when another file gets the name, the rest of the old one is read
 * first.  A file that shrank was truncated in place and is read from its beginning.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "watch/sources/source.h"

static const double look_again = 0.2; /* seconds */

enum { MARK = 64 };

struct reading {
	struct source *source;
	const char *path; /* NULL: standard input */
	int fd;		  /* -1: there is no such file */
	bool fifo;
	struct loop_read *read;
	struct loop_timer *timer;
	off_t at;
	char mark[MARK]; /* the bytes before `at`, to detect a truncated file that grew again */
	size_t n_mark;
	int left; /* the file that had the name before; -1: none */
	off_t left_at;
	bool missing_reported, failure_reported;
};

/* --- standard input --------------------------------------------------------------------- */

static void read_stdin(void *ctx)
{
	struct reading *r = ctx;
	long n = source_read_fd(r->source, STDIN_FILENO);
	int error = errno;

	if (n > 0 || (n < 0 && (error == EINTR || error == EAGAIN)))
		return;
	loop_unread(r->read);
	r->read = NULL;
	if (n < 0) {
		source_state(r->source, SOURCE_FAILED, "%s", strerror(error));
		intake_gap(r->source->intake);
		intake_break(r->source->intake);
	} else {
		intake_end(r->source->intake);
	}
	source_ended(r->source);
}

static bool open_stdin(struct source *s, const char *rest, struct diag *diag)
{
	struct reading *r = xcalloc(1, sizeof(*r));

	(void)rest;
	r->source = s;
	r->fd = r->left = -1;
	source_widen(STDIN_FILENO);
	r->read = loop_read(s->all->loop, STDIN_FILENO, false, read_stdin, r);
	s->own = r;
	s->status->state = SOURCE_OPEN;
	if (r->read != NULL)
		return true;
	/* A folder; reading nothing of it says so. */
	diag_plain(diag, DIAG_INPUT_UNREADABLE, "standard input: %s",
		   strerror(read(STDIN_FILENO, &(char){ 0 }, 0) < 0 ? errno : EINVAL));
	return false;
}

/* --- files ---------------------------------------------------------------------------------- */

static void close_left(struct reading *r)
{
	if (r->left >= 0)
		(void)close(r->left);
	r->left = -1;
}

static void close_file(struct reading *r)
{
	loop_unread(r->read);
	r->read = NULL;
	if (r->fd >= 0)
		(void)close(r->fd);
	r->fd = -1;
}

static void close_reading(struct source *s)
{
	struct reading *r = s->own;

	close_file(r);
	close_left(r);
	loop_timer_free(r->timer);
	free(r);
}

static void read_fifo(void *ctx)
{
	struct reading *r = ctx;

	(void)source_read_fd(r->source, r->fd);
}

/* Whether another file has the name, and has data.  Before that, a writer may still have the old
 * file open. */
static bool was_rotated(const struct reading *r)
{
	struct stat ours, theirs;

	return fstat(r->fd, &ours) == 0 && stat(r->path, &theirs) == 0 && theirs.st_size > 0 &&
	       (ours.st_ino != theirs.st_ino || ours.st_dev != theirs.st_dev);
}

/* Tells a truncated file that has grown again by the bytes before `at`. */
static bool was_truncated(const struct reading *r)
{
	char now[MARK];
	struct stat st;

	if (fstat(r->fd, &st) == 0 && st.st_size < r->at)
		return true;
	return r->n_mark > 0 &&
	       pread(r->fd, now, r->n_mark, r->at - (off_t)r->n_mark) == (ssize_t)r->n_mark &&
	       memcmp(now, r->mark, r->n_mark) != 0;
}

static void set_mark(struct reading *r)
{
	ssize_t n = r->at < MARK ? (ssize_t)r->at : MARK;

	r->n_mark = n > 0 && pread(r->fd, r->mark, (size_t)n, r->at - n) == n ? (size_t)n : 0;
}

/* Reports data that is written to the rotated file, which is no longer read. */
static void look_at_left(struct reading *r)
{
	struct stat st;

	if (r->left < 0 || fstat(r->left, &st) != 0 || st.st_size <= r->left_at)
		return;
	source_state(r->source, SOURCE_OPEN,
		     "%lld bytes were written to the old file after the new one: they are lost",
		     (long long)(st.st_size - r->left_at));
	intake_gap(r->source->intake);
	close_left(r);
}

static void open_by_name(struct reading *r)
{
	struct source *s = r->source;
	struct stat st;

	/* Open a FIFO for writing as well: then it has no end of file when a writer leaves. */
	r->fifo = stat(r->path, &st) == 0 && S_ISFIFO(st.st_mode);
	r->fd = open(r->path, (r->fifo ? O_RDWR : O_RDONLY) | O_NONBLOCK | O_CLOEXEC);
	r->at = 0;
	r->n_mark = 0;
	if (r->fd >= 0 && fstat(r->fd, &st) == 0 && S_ISDIR(st.st_mode)) {
		close_file(r);
		errno = EISDIR;
	}
	if (r->fd < 0) {
		if (!r->missing_reported)
			source_state(s, SOURCE_WAITING, "%s", strerror(errno));
		r->missing_reported = true;
		return;
	}
	r->missing_reported = false;
	source_state(s, SOURCE_OPEN, "open");
	if (!r->fifo)
		return;
	source_widen(r->fd);
	r->read = loop_read(s->all->loop, r->fd, false, read_fifo, r);
}

static void begin_again(struct reading *r)
{
	source_state(r->source, SOURCE_OPEN,
		     "truncated: what was written since it was last read is lost");
	intake_gap(r->source->intake);
	intake_break(r->source->intake);
	r->at = lseek(r->fd, 0, SEEK_SET);
	r->n_mark = 0;
	r->source->status->restarts++;
}

static void at_end(struct reading *r)
{
	look_at_left(r);
	if (!was_rotated(r) || source_read_fd(r->source, r->fd) > 0)
		return;
	intake_end(r->source->intake);
	close_left(r);
	r->left = r->fd;
	r->left_at = lseek(r->fd, 0, SEEK_CUR);
	r->fd = -1;
	r->source->status->restarts++;
	open_by_name(r);
}

/* Reports a read error.  The file is tried again. */
static void report_failure(struct reading *r, int error)
{
	if (error == EAGAIN || error == EINTR || r->failure_reported)
		return;
	source_state(r->source, SOURCE_WAITING, "%s", strerror(error));
	r->failure_reported = true;
}

static void follow_file(void *ctx)
{
	struct reading *r = ctx;
	double again = look_again;

	if (r->fd < 0)
		open_by_name(r);
	if (r->fd >= 0 && !r->fifo) {
		long n;

		if (was_truncated(r))
			begin_again(r);
		n = source_read_fd(r->source, r->fd);
		if (n < 0)
			report_failure(r, errno);
		r->at = lseek(r->fd, 0, SEEK_CUR);
		set_mark(r);
		if (n > 0) {
			again = 0;
			r->failure_reported = false;
		} else {
			at_end(r);
		}
	}
	loop_timer_set(r->timer, again);
}

static bool open_file(struct source *s, const char *rest, struct diag *diag)
{
	struct reading *r = xcalloc(1, sizeof(*r));

	(void)diag;
	r->source = s;
	r->path = rest;
	r->fd = r->left = -1;
	r->timer = loop_timer(s->all->loop, follow_file, r);
	s->own = r;
	loop_timer_set(r->timer, 0);
	return true;
}

const struct source_type source_stdin = {
	.prefix = "-",
	.title = "standard input",
	.open = open_stdin,
	.close = close_reading,
};

const struct source_type source_file = {
	.prefix = "",
	.title = "a FIFO, or a file that grows, over rotation",
	.open = open_file,
	.close = close_reading,
};
