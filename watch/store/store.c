/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "watch/store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/out.h"
#include "base/platform.h"
#include "base/xalloc.h"
#include "formats/format.h"
#include "profile/merge.h"
#include "profile/profile.h"
#include "watch/rename_new.h"
#include "watch/store/durable.h"
#include "watch/store/store_files.h"
#include "watch/store/store_journal.h"
#include "watch/store/store_names.h"

static const char hidden[] = ".osprof-interval.part";

enum { MERGED_AT_ONCE = 64 };

struct unwritten {
	struct span span;
	struct profile *p;
};

struct store {
	struct store_options options;
	char *folder;
	int fd, lock; /* the folder, and its lock file */
	struct unwritten unwritten[MAX_UNWRITTEN];
	size_t n_unwritten;
	uint64_t written, dropped; /* of all intervals */
	bool too_large;	   /* the last failure concerned one interval only: others can be written */
	double kept_until; /* latest end of a file; HUGE_VAL: not known */
};

static bool report_failed(const char *what, const char *name, struct diag *diag)
{
	diag_plain(diag, DIAG_OUTPUT_FAILED, "%s%s%s: %s", what, name != NULL ? "/" : "",
		   name != NULL ? name : "", strerror(errno));
	return false;
}

struct store *store_open(const struct store_options *options, struct diag *diag)
{
	struct store *s;
	int fd, lock;

	if (mkdir(options->folder, 0777) != 0 && errno != EEXIST) {
		(void)report_failed(options->folder, NULL, diag);
		return NULL;
	}
	fd = open(options->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	lock = fd >= 0 ? openat(fd, ".osprof-lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666)
		       : -1;
	if (lock < 0 || !platform_lock_file(lock)) {
		if (lock >= 0 && errno == EWOULDBLOCK)
			diag_plain(diag, DIAG_OUTPUT_FAILED,
				   "%s: another osprof watch keeps its intervals there",
				   options->folder);
		else
			(void)report_failed(options->folder, NULL, diag);
		if (lock >= 0)
			(void)close(lock);
		if (fd >= 0)
			(void)close(fd);
		return NULL;
	}
	/* A killed process may have left it. */
	(void)unlinkat(fd, hidden, 0);
	(void)store_journal_finish(fd); /* store_tidy() reports a failure */
	s = xcalloc(1, sizeof(*s));
	s->options = *options;
	s->folder = xstrdup(options->folder);
	s->fd = fd;
	s->lock = lock;
	s->kept_until = HUGE_VAL;
	return s;
}

void store_close(struct store *s)
{
	if (s == NULL)
		return;
	for (size_t i = 0; i < s->n_unwritten; i++)
		profile_free(s->unwritten[i].p);
	(void)close(s->lock);
	(void)close(s->fd);
	free(s->folder);
	free(s);
}

/* --- writing --------------------------------------------------------------------------- */

/* Writes a profile under a hidden name.  False: an error was reported. */
static bool write_hidden(struct store *s, const char *name, const struct profile *p,
			 struct diag *diag)
{
	struct out *o = out_to_memory();
	bool ok = format_by_name(STR("osprof"))->write(p, o, diag);

	s->too_large = false;
	if (ok && !durable_write(s->fd, name, 0666, out_memory(o))) {
		s->too_large = errno == EFBIG;
		ok = report_failed(s->folder, name, diag);
		(void)unlinkat(s->fd, name, 0);
	}
	out_free(o);
	return ok;
}

/* Renames the hidden file to that of this span, which does not exist yet. */
static bool put_in_place(struct store *s, struct span span, struct diag *diag)
{
	char name[STORE_NAME_BYTES];

	store_name(name, span);
	if (rename_new(s->fd, hidden, name) != 0) {
		(void)report_failed(s->folder, name, diag);
		(void)unlinkat(s->fd, hidden, 0);
		return false;
	}
	/* The file is in place: writing it again would count it twice. */
	if (fsync(s->fd) != 0)
		(void)report_failed(s->folder, name, diag);
	s->kept_until = fmax(s->kept_until, span.end);
	return true;
}

static struct profile *merge_files(const struct kept_interval *k, size_t n, struct diag *diag)
{
	struct profile *sum = NULL;

	for (size_t from = 0; from < n;) {
		const struct profile *part[MERGED_AT_ONCE + 1];
		size_t n_parts = 0;
		struct profile *next;

		if (sum != NULL)
			part[n_parts++] = sum;
		while (from < n && n_parts <= MERGED_AT_ONCE) {
			part[n_parts] = store_read(k[from++].path, diag);
			if (part[n_parts] != NULL)
				n_parts++;
		}
		next = n_parts > 0 ? profile_merge(part, n_parts, diag) : NULL;
		for (size_t i = 0; i < n_parts; i++)
			profile_free((struct profile *)(uintptr_t)part[i]);
		sum = next;
		if (sum == NULL)
			return NULL;
	}
	return sum;
}

/* Drops the intervals within a profile that was merged into a coarser one, and what the merge says
 * of profiles that ran side by side: these ran one after another. */
static void join_intervals(struct profile *p)
{
	for (size_t i = 0; i < p->n_ops; i++)
		p->op[i].n_intervals = 0;
	p->elapsed = 0;
	p->concurrency = 0;
}

/* --- intervals ------------------------------------------------------------------------------ */

/* Adds p to an existing file.  *ret_read: the file could be read. */
static bool add_to_file(struct store *s, const struct kept_interval *k, const struct profile *p,
			bool *ret_read, struct diag *diag)
{
	const struct profile *part[] = { store_read(k->path, diag), p };
	struct profile *sum = part[0] != NULL ? profile_merge(part, 2, diag) : NULL;
	bool ok = false;

	*ret_read = sum != NULL;
	if (sum != NULL) {
		join_intervals(sum);
		ok = write_hidden(s, hidden, sum, diag);
		if (ok && renameat(s->fd, hidden, AT_FDCWD, k->path) != 0)
			ok = report_failed(k->path, NULL, diag);
		else if (ok && fsync(s->fd) != 0)
			(void)report_failed(k->path, NULL, diag);
	}
	profile_free(sum);
	profile_free((struct profile *)(uintptr_t)part[0]);
	return ok;
}

/* Returns a file that covers this span by its name, or that the span would cover; NULL: none. */
static const struct kept_interval *in_the_way(const struct kept_interval *k, size_t n,
					      struct span span)
{
	for (size_t i = 0; i < n; i++) {
		bool same = fabs(k[i].span.start - span.start) < same_time &&
			    fabs(k[i].span.end - span.end) < same_time;

		if (same || span_covers(k[i].span, span) || span_covers(span, k[i].span))
			return &k[i];
	}
	return NULL;
}

/* Writes an interval whose span overlaps kept files because the clock was set back.  If a file
 * covers it, it is added to that file: beside it, it would be taken for a part of it.  If a file
 * has the same span, the interval is moved by milliseconds until it is unique. */
static bool write_among(struct store *s, const struct profile *p, struct span span,
			const struct kept_interval *k, size_t n, struct diag *diag)
{
	const struct kept_interval *other;
	bool was_read;

	while ((other = in_the_way(k, n, span)) != NULL) {
		double by = 0.001, length = span_length(span);

		if (span_covers(other->span, span)) {
			if (add_to_file(s, other, p, &was_read, diag))
				return true;
			if (was_read)
				return false;
			/* Leave that file alone, and move this interval. */
			by = other->span.end - 0.001 - span.start;
		}
		span.start += by;
		span.end = span.start + length;
	}
	return write_hidden(s, hidden, p, diag) && put_in_place(s, span, diag);
}

static bool write_interval(struct store *s, const struct profile *p, struct span span,
			   struct diag *diag)
{
	struct arena *a;
	struct kept_interval *k;
	size_t n;
	bool ok;

	if (span.start >= s->kept_until - same_time)
		return write_hidden(s, hidden, p, diag) && put_in_place(s, span, diag);
	a = arena_new();
	ok = store_files(s->folder, a, &k, &n, diag);
	if (ok) {
		s->kept_until = 0;
		for (size_t i = 0; i < n; i++)
			s->kept_until = fmax(s->kept_until, k[i].span.end);
		ok = write_among(s, p, span, k, n, diag);
	}
	arena_free(a);
	return ok;
}

static bool write_waiting(struct store *s, struct diag *diag)
{
	while (s->n_unwritten > 0) {
		struct unwritten first = s->unwritten[0];

		if (!write_interval(s, first.p, first.span, diag))
			return false;
		s->written++;
		profile_free(first.p);
		memmove(s->unwritten, s->unwritten + 1, --s->n_unwritten * sizeof(first));
	}
	return true;
}

/* Drops the oldest interval without calls.  If there is none, or the oldest interval blocks the
 * others, drops the oldest. */
static void drop_unwritten(struct store *s)
{
	size_t i = 0;

	while (!s->too_large && i < s->n_unwritten && s->unwritten[i].p->n_ops > 0)
		i++;
	i = i < s->n_unwritten ? i : 0;
	s->dropped++;
	profile_free(s->unwritten[i].p);
	memmove(s->unwritten + i, s->unwritten + i + 1,
		(--s->n_unwritten - i) * sizeof(*s->unwritten));
}

static void keep_unwritten(struct store *s, const struct profile *p, struct span span)
{
	struct diag diag = { .emit = NULL };

	if (s->n_unwritten == MAX_UNWRITTEN)
		drop_unwritten(s);
	s->unwritten[s->n_unwritten++] = (struct unwritten){ span, profile_merge(&p, 1, &diag) };
}

bool store_put(struct store *s, const struct profile *p, struct span span, struct diag *diag)
{
	if (write_waiting(s, diag) && write_interval(s, p, span, diag)) {
		s->written++;
		return true;
	}
	keep_unwritten(s, p, span);
	return false;
}

bool store_note(struct store *s, const char *name, struct str text, struct diag *diag)
{
	bool ok = durable_write(s->fd, hidden, 0666, text) &&
		  renameat(s->fd, hidden, s->fd, name) == 0;

	if (!ok) {
		(void)report_failed(s->folder, name, diag);
		(void)unlinkat(s->fd, hidden, 0);
	}
	return ok;
}

struct store_counts store_counts(const struct store *s)
{
	return (struct store_counts){ .intervals = s->written + s->dropped + s->n_unwritten,
				      .written = s->written,
				      .dropped = s->dropped,
				      .waiting = s->n_unwritten };
}

/* --- growing old ---------------------------------------------------------------------------- */

/* Returns those of n files that begin in the window and are shorter, and the window's own file. */
static struct kept_interval *parts_of(struct store *s, struct arena *a,
				      const struct kept_interval *k, size_t n, struct span window,
				      size_t *ret_n)
{
	struct kept_interval *part = arena_make(a, struct kept_interval, n + 1);
	char name[STORE_NAME_BYTES];

	*ret_n = 0;
	for (size_t i = 0; i < n; i++) {
		if (span_length(k[i].span) < span_length(window) - same_time)
			part[(*ret_n)++] = k[i];
	}
	store_name(name, window);
	if (*ret_n > 0 && faccessat(s->fd, name, F_OK, 0) == 0)
		part[(*ret_n)++] =
			(struct kept_interval){ window, arena_printf(a, "%s/%s", s->folder, name).p,
						0 };
	return part;
}

/* Whether all parts lie within the window, so that names alone show that it covers them. */
static bool covers_all(struct span window, const struct kept_interval *part, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!span_covers(window, part[i].span))
			return false;
	}
	return true;
}

static void merge_window(struct store *s, const struct kept_interval *part, size_t n,
			 struct span window, struct diag *diag)
{
	struct profile *sum = merge_files(part, n, diag);
	char name[STORE_NAME_BYTES];

	if (sum == NULL)
		return;
	join_intervals(sum);
	store_name(name, window);
	if (covers_all(window, part, n)) {
		if (write_hidden(s, hidden, sum, diag) && put_in_place(s, window, diag)) {
			for (size_t i = 0; i < n; i++)
				(void)unlink(part[i].path);
		}
	} else if (store_journal_finish(s->fd) && write_hidden(s, store_merged_part, sum, diag)) {
		if (store_replace(s->fd, name, part, n))
			s->kept_until = fmax(s->kept_until, window.end);
		else
			(void)report_failed(s->folder, name, diag);
	}
	profile_free(sum);
}

static void coarsen_tier(struct store *s, size_t tier, double now, struct diag *diag)
{
	double age = s->options.tier[tier].age, coarse = s->options.tier[tier + 1].length;
	struct arena *a = arena_new();
	struct kept_interval *k, *part;
	size_t n = 0, n_parts;

	if (!store_list(s->folder, a, &k, &n, diag))
		n = 0;
	for (size_t at = 0, end; at < n; at = end) {
		struct span window;

		window.start = floor((k[at].span.start + same_time) / coarse) * coarse;
		window.end = window.start + coarse;
		for (end = at; end < n && k[end].span.start < window.end - same_time;)
			end++;
		if (window.end + age > now)
			continue;
		part = parts_of(s, a, k + at, end - at, window, &n_parts);
		if (n_parts > 0)
			merge_window(s, part, n_parts, window, diag);
	}
	arena_free(a);
}

/* Removes files that a longer one covers (left by a killed process), files older than the last
 * tier, and the oldest while there are too many bytes. */
static void drop_old(struct store *s, double now, struct diag *diag)
{
	double age =
		s->options.n_tiers > 0 ? s->options.tier[s->options.n_tiers - 1].age : HUGE_VAL;
	struct arena *a = arena_new();
	struct kept_interval *all, *k;
	size_t n_all, n, at = 0;
	uint64_t bytes = 0;

	if (!store_files(s->folder, a, &all, &n_all, diag)) {
		arena_free(a);
		return;
	}
	k = arena_copy(a, all, n_all, sizeof(*all));
	n = store_drop_covered(k, n_all);
	for (size_t i = 0; i < n_all; i++) {
		if (at < n && k[at].path == all[i].path)
			bytes += k[at++].bytes;
		else
			(void)unlink(all[i].path);
	}
	for (size_t i = 0; i < n && (bytes > s->options.max_bytes || k[i].span.end + age < now);
	     i++) {
		(void)unlink(k[i].path);
		bytes -= k[i].bytes;
	}
	arena_free(a);
}

void store_tidy(struct store *s, double now, struct diag *diag)
{
	if (!store_journal_finish(s->fd)) {
		(void)report_failed(s->folder, "files that were merged cannot be removed", diag);
		return;
	}
	for (size_t i = 0; i + 1 < s->options.n_tiers; i++)
		coarsen_tier(s, i, now, diag);
	drop_old(s, now, diag);
}
