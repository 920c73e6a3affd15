/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "watch/sources/spool.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/platform.h"
#include "base/str.h"
#include "base/xalloc.h"
#include "watch/store/durable.h"

enum { NAME = 80 };

static const char hidden[] = ".osprof-frame.part", suffix[] = ".frame";

struct spool {
	char *folder;
	int fd, lock;
};

static bool report_failed(const char *folder, struct diag *diag)
{
	diag_plain(diag, DIAG_OUTPUT_FAILED, "%s: %s", folder,
		   errno == EWOULDBLOCK ? "another osprof watch has its spool there"
					: strerror(errno));
	return false;
}

struct spool *spool_open(const char *folder, struct diag *diag)
{
	struct spool *s = xcalloc(1, sizeof(*s));

	s->fd = s->lock = -1;
	s->folder = xstrdup(folder);
	if (mkdir(folder, 0700) == 0 || errno == EEXIST)
		s->fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (s->fd >= 0)
		s->lock = openat(s->fd, ".osprof-lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW,
				 0600);
	if (s->lock >= 0 && platform_lock_file(s->lock)) {
		(void)unlinkat(s->fd, hidden, 0);
		return s;
	}
	(void)report_failed(folder, diag);
	spool_close(s);
	return NULL;
}

void spool_close(struct spool *s)
{
	if (s == NULL)
		return;
	if (s->lock >= 0)
		(void)close(s->lock);
	if (s->fd >= 0)
		(void)close(s->fd);
	free(s->folder);
	free(s);
}

/* --- names ---------------------------------------------------------------------------------- */

static void name_of(char to[NAME], const struct waiting_frame *w)
{
	(void)snprintf(to, NAME, "%017.0f-%016llx-%020llu%s", w->end, (unsigned long long)w->boot,
		       (unsigned long long)w->seq, suffix);
}

/* Whether a file contains exactly one complete frame. */
static bool is_frame(struct waiting_frame *w)
{
	struct frame frame;
	struct str body;
	const char *why;
	size_t used;

	if (frame_find(w->bytes, w->n, &frame, &body, &used, &why) != FRAME_READY || used != w->n ||
	    frame.type != FRAME_PROFILE)
		return false;
	memcpy(w->sender, frame.sender, sizeof(w->sender));
	w->boot = frame.boot;
	w->seq = frame.seq;
	w->end = frame.span.end;
	return true;
}

/* --- files ---------------------------------------------------------------------------------- */

bool spool_write(struct spool *s, struct waiting_frame *w)
{
	char name[NAME];

	if (s == NULL)
		return true;
	if (!is_frame(w))
		return false;
	name_of(name, w);
	w->spooled = durable_write(s->fd, hidden, 0600, (struct str){ w->bytes, w->n }) &&
		     renameat(s->fd, hidden, s->fd, name) == 0 && fsync(s->fd) == 0;
	if (!w->spooled) {
		int error = errno;

		(void)unlinkat(s->fd, hidden, 0);
		(void)unlinkat(s->fd, name, 0);
		errno = error;
	}
	return w->spooled;
}

void spool_remove(struct spool *s, const struct waiting_frame *w)
{
	char name[NAME];

	if (s == NULL || !w->spooled)
		return;
	name_of(name, w);
	(void)unlinkat(s->fd, name, 0);
}

/* --- what is there -------------------------------------------------------------------------- */

static bool read_file(struct spool *s, const char *name, struct waiting_frame *ret)
{
	int fd = openat(s->fd, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	char expected[NAME];
	struct stat st;
	bool ok = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
		  st.st_size <= FRAME_LINE + FRAME_BYTES;

	*ret = (struct waiting_frame){ .spooled = true };
	if (ok) {
		ret->n = (size_t)st.st_size;
		ret->bytes = xcalloc(ret->n + 1, 1);
		ok = read(fd, ret->bytes, ret->n) == (ssize_t)ret->n && is_frame(ret);
	}
	if (fd >= 0)
		(void)close(fd);
	/* A copy under another name would be sent twice: keep only the file with the right name. */
	if (ok) {
		name_of(expected, ret);
		ok = strcmp(name, expected) == 0;
	}
	if (!ok)
		free(ret->bytes);
	return ok;
}

static bool is_spooled(const char *name)
{
	return name[0] != '.' && str_has_suffix(str_from(name), str_from(suffix));
}

/* Orders frames of one start by sequence number, whatever their clock was: a receiver that takes a
 * number assumes all numbers before it. */
static int by_start(const void *pa, const void *pb)
{
	const struct waiting_frame *a = pa, *b = pb;

	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	if (a->boot != b->boot)
		return a->boot < b->boot ? -1 : 1;
	return (a->seq > b->seq) - (a->seq < b->seq);
}

static void put_in_order(struct waiting_frame *w, size_t n)
{
	if (n == 0)
		return;
	for (size_t i = 0; i < n; i++)
		w[i].from = 0;
	qsort(w, n, sizeof(*w), by_start);
	for (size_t i = 0, next; i < n; i = next) {
		double from = w[i].end;

		for (next = i; next < n && w[next].boot == w[i].boot; next++)
			from = w[next].end < from ? w[next].end : from;
		for (size_t k = i; k < next; k++)
			w[k].from = from;
	}
	qsort(w, n, sizeof(*w), by_start);
}

bool spool_read(struct spool *s, struct waiting_frame **frame, size_t *n, size_t *cap,
		uint64_t *ret_bad, struct diag *diag)
{
	int fd = openat(s->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *folder = fd >= 0 ? fdopendir(fd) : NULL;
	const struct dirent *entry;

	*ret_bad = 0;
	if (folder == NULL)
		return report_failed(s->folder, diag);
	while ((entry = readdir(folder)) != NULL) {
		struct waiting_frame w;

		if (!is_spooled(entry->d_name))
			continue;
		if (read_file(s, entry->d_name, &w)) {
			*frame = xgrow(*frame, cap, *n + 1, sizeof(**frame));
			(*frame)[(*n)++] = w;
		} else {
			(*ret_bad)++;
			(void)unlinkat(s->fd, entry->d_name, 0);
		}
	}
	(void)closedir(folder);
	put_in_order(*frame, *n);
	return true;
}
