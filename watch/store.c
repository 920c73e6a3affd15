/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "watch/store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/input_file.h"
#include "base/out.h"
#include "base/xalloc.h"
#include "formats/format.h"
#include "profile/merge.h"
#include "profile/profile.h"
#include "watch/store_names.h"

static const char hidden[] = ".osprof-interval.part";
static const double same_time = 0.0005;

enum { MERGED_AT_ONCE = 64 };

struct unwritten {
	struct span span;
	struct profile *p;
};

struct store {
	struct store_options options;
	char *folder;
	int fd, lock; /* of the folder, of its lock */
	struct unwritten unwritten[MAX_UNWRITTEN];
	size_t n_unwritten;
	uint64_t written, dropped; /* of the intervals that were put */
	double merged_until;	   /* end of the last file that was merged */
};

static bool failed(const char *what, const char *name, struct diag *diag)
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
		(void)failed(options->folder, NULL, diag);
		return NULL;
	}
	fd = open(options->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	lock = fd >= 0 ? openat(fd, ".osprof-lock", O_RDWR | O_CREAT | O_CLOEXEC, 0666) : -1;
	if (lock < 0 || flock(lock, LOCK_EX | LOCK_NB) != 0) {
		if (lock >= 0 && errno == EWOULDBLOCK)
			diag_plain(diag, DIAG_OUTPUT_FAILED,
				   "%s: another osprof watch keeps its intervals there",
				   options->folder);
		else
			(void)failed(options->folder, NULL, diag);
		if (lock >= 0)
			(void)close(lock);
		if (fd >= 0)
			(void)close(fd);
		return NULL;
	}
	/* Whoever was killed may have left it. */
	(void)unlinkat(fd, hidden, 0);
	s = xcalloc(1, sizeof(*s));
	s->options = *options;
	s->folder = strcpy(xcalloc(strlen(options->folder) + 1, 1), options->folder);
	s->fd = fd;
	s->lock = lock;
	/* Until the folder was looked through, any time may be that of a merged file. */
	s->merged_until = HUGE_VAL;
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

static bool write_all(int fd, struct str s)
{
	while (s.n > 0) {
		ssize_t n = write(fd, s.p, s.n);

		if (n < 0 && errno != EINTR)
			return false;
		s = str_skip(s, n > 0 ? (size_t)n : 0);
	}
	return fsync(fd) == 0;
}

/* A name that is taken is that of an interval of a process before, or of before the clock was set
 * back: that one stays.  Start and end move together, or that one would seem to cover this. */
static bool put_in_place(struct store *s, char name[STORE_NAME_BYTES], struct span span)
{
	for (int n = 0; n < 1000; n++) {
		store_name(name, span);
		if (renameat2(s->fd, hidden, s->fd, name, RENAME_NOREPLACE) == 0)
			return fsync(s->fd) == 0;
		if (errno != EEXIST)
			return false;
		span.start += 0.001;
		span.end += 0.001;
	}
	return false;
}

/* In place of the file of this name; NULL: under that of its time. */
static bool write_file(struct store *s, const struct profile *p, struct span span,
		       const char *replaced, struct diag *diag)
{
	struct out *o = out_to_memory();
	char name[STORE_NAME_BYTES];
	int fd;
	bool ok = format_by_name(STR("osprof"))->write(p, o, diag);

	store_name(name, span);
	fd = ok ? openat(s->fd, hidden, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1;
	ok = fd >= 0 && write_all(fd, out_memory(o));
	if (fd >= 0 && close(fd) != 0)
		ok = false;
	if (replaced != NULL)
		ok = ok && renameat(s->fd, hidden, AT_FDCWD, replaced) == 0 && fsync(s->fd) == 0;
	else
		ok = ok && put_in_place(s, name, span);
	if (!ok) {
		(void)failed(s->folder, name, diag);
		(void)unlinkat(s->fd, hidden, 0);
	}
	out_free(o);
	return ok;
}

/* --- reading ----------------------------------------------------------------------------- */

/* By begin; of those that begin together the longest first. */
static int by_time(const void *pa, const void *pb)
{
	const struct kept_interval *a = pa, *b = pb;

	if (fabs(a->span.start - b->span.start) > same_time)
		return a->span.start < b->span.start ? -1 : 1;
	return (a->span.end < b->span.end) - (a->span.end > b->span.end);
}

/* Windows of a tier begin at multiples of their length.  What is longer for another reason, such
 * as a process that was stopped, has nothing of what lies in its time. */
static bool is_window(const struct kept_interval *k)
{
	double length = k->span.end - k->span.start;

	return fabs(remainder(k->span.start, length)) < same_time;
}

static bool is_of_tier(const struct kept_interval *k, double length)
{
	return k->span.end - k->span.start <= length + same_time;
}

static size_t drop_covered(struct kept_interval *k, size_t n)
{
	size_t left = 0;

	for (size_t i = 0; i < n; i++) {
		if (left > 0 && is_window(&k[left - 1]) &&
		    k[i].span.end <= k[left - 1].span.end + same_time &&
		    k[left - 1].span.end - k[left - 1].span.start >
			    k[i].span.end - k[i].span.start + same_time)
			continue;
		k[left++] = k[i];
	}
	return left;
}

/* All files, covered ones, too. */
static bool list_all(const char *folder, struct arena *a, struct kept_interval **ret, size_t *ret_n,
		     struct diag *diag)
{
	DIR *dir = opendir(folder);
	struct dirent *e;
	struct kept_interval *k = NULL;
	size_t n = 0, cap = 0;

	if (dir == NULL) {
		diag_plain(diag, DIAG_USAGE, "%s: %s", folder, strerror(errno));
		return false;
	}
	while ((e = readdir(dir)) != NULL) {
		struct span span;
		struct stat st;

		if (!store_name_parse(e->d_name, &span) ||
		    fstatat(dirfd(dir), e->d_name, &st, 0) != 0)
			continue;
		k = arena_grow(a, k, &cap, n + 1, sizeof(*k));
		k[n++] =
			(struct kept_interval){ span, arena_printf(a, "%s/%s", folder, e->d_name).p,
						(uint64_t)st.st_size };
	}
	(void)closedir(dir);
	if (n > 0)
		qsort(k, n, sizeof(*k), by_time);
	*ret = k;
	*ret_n = n;
	return true;
}

bool store_list(const char *folder, struct arena *a, struct kept_interval **ret, size_t *ret_n,
		struct diag *diag)
{
	if (!list_all(folder, a, ret, ret_n, diag))
		return false;
	*ret_n = drop_covered(*ret, *ret_n);
	return true;
}

struct profile *store_read(const char *path, struct diag *diag)
{
	const struct read_options options = { .resolution = 0 };
	struct profile *p;
	struct input in;

	if (!input_open(&in, path, 1 << 30, diag))
		return NULL;
	p = format_read(format_by_name(STR("osprof")), &in, &options, diag);
	input_release(&in);
	return p;
}

/* --- tiers --------------------------------------------------------------------------------- */

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

/* In a coarse file the parts are distinguished no longer. */
static void join_intervals(struct profile *p)
{
	for (size_t i = 0; i < p->n_ops; i++)
		p->op[i].n_intervals = 0;
	p->elapsed = 0;
}

/* --- intervals ------------------------------------------------------------------------------ */

static bool covers(const struct kept_interval *k, struct span span)
{
	return is_window(k) && k->span.start <= span.start + same_time &&
	       k->span.end >= span.end - same_time &&
	       k->span.end - k->span.start > span.end - span.start + same_time;
}

/* Whose clock was set back into time that was merged already adds to the merged file: beside it
 * the interval would pass for one of those that are in it. */
static bool write_interval(struct store *s, const struct profile *p, struct span span,
			   struct diag *diag)
{
	struct arena *a = arena_new();
	const struct kept_interval *merged = NULL;
	const struct profile *part[] = { NULL, p };
	struct kept_interval *k;
	struct profile *sum;
	size_t n;
	bool ok;

	if (span.start < s->merged_until && list_all(s->folder, a, &k, &n, diag)) {
		s->merged_until = 0;
		for (size_t i = 0; i < n; i++) {
			if (is_window(&k[i]) && !is_of_tier(&k[i], s->options.tier[0].length))
				s->merged_until = fmax(s->merged_until, k[i].span.end);
			if (merged == NULL && covers(&k[i], span))
				merged = &k[i];
		}
	}
	if (merged == NULL) {
		ok = write_file(s, p, span, NULL, diag);
	} else {
		part[0] = store_read(merged->path, diag);
		sum = part[0] != NULL ? profile_merge(part, 2, diag) : NULL;
		if (sum != NULL)
			join_intervals(sum);
		ok = sum != NULL && write_file(s, sum, merged->span, merged->path, diag);
		profile_free(sum);
		profile_free((struct profile *)(uintptr_t)part[0]);
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

static void keep_unwritten(struct store *s, const struct profile *p, struct span span)
{
	struct diag diag = { .emit = NULL };

	if (s->n_unwritten == MAX_UNWRITTEN) {
		s->dropped++;
		profile_free(s->unwritten[0].p);
		memmove(s->unwritten, s->unwritten + 1, --s->n_unwritten * sizeof(*s->unwritten));
	}
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

struct store_counts store_counts(const struct store *s)
{
	return (struct store_counts){ .intervals = s->written + s->dropped + s->n_unwritten,
				      .written = s->written,
				      .dropped = s->dropped,
				      .waiting = s->n_unwritten };
}

/* --- growing old ---------------------------------------------------------------------------- */

/* The files from `first` on that lie in one window of the next tier; 0: it has not aged. */
static size_t window_of(const struct kept_interval *k, size_t n, const struct tier *ok,
			double coarse, double now, struct span *ret)
{
	size_t same = 0;

	ret->start = floor((k->span.start + same_time) / coarse) * coarse;
	ret->end = ret->start + coarse;
	if (ret->end + ok->age > now)
		return 0;
	while (same < n && k[same].span.start < ret->end - same_time &&
	       is_of_tier(&k[same], ok->length))
		same++;
	return same;
}

static void merge_window(struct store *s, const struct kept_interval *k, size_t n, struct span span,
			 struct diag *diag)
{
	struct profile *sum = merge_files(k, n, diag);

	if (sum == NULL)
		return;
	join_intervals(sum);
	if (write_file(s, sum, span, NULL, diag)) {
		s->merged_until = fmax(s->merged_until, span.end);
		for (size_t i = 0; i < n; i++)
			(void)unlink(k[i].path);
	}
	profile_free(sum);
}

static void coarsen(struct store *s, size_t tier, double now, struct diag *diag)
{
	const struct tier *ok = &s->options.tier[tier];
	double coarse = s->options.tier[tier + 1].length;
	struct arena *a = arena_new();
	struct kept_interval *k;
	size_t n, at = 0;

	if (store_list(s->folder, a, &k, &n, diag)) {
		while (at < n) {
			struct span window;
			size_t same = is_of_tier(&k[at], ok->length)
					      ? window_of(k + at, n - at, ok, coarse, now, &window)
					      : 0;

			if (same > 0)
				merge_window(s, k + at, same, window, diag);
			at += same > 0 ? same : 1;
		}
	}
	arena_free(a);
}

/* What a longer file covers was left by somebody who was killed; then what is older than the
 * last tier, and the oldest while there are too many bytes. */
static void drop_old(struct store *s, double now, struct diag *diag)
{
	double age =
		s->options.n_tiers > 0 ? s->options.tier[s->options.n_tiers - 1].age : HUGE_VAL;
	struct arena *a = arena_new();
	struct kept_interval *all, *k;
	size_t n_all, n, at = 0;
	uint64_t bytes = 0;

	if (!list_all(s->folder, a, &all, &n_all, diag)) {
		arena_free(a);
		return;
	}
	k = arena_copy(a, all, n_all, sizeof(*all));
	n = drop_covered(k, n_all);
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
	for (size_t i = 0; i + 1 < s->options.n_tiers; i++)
		coarsen(s, i, now, diag);
	drop_old(s, now, diag);
}
