/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "watch/store/store_files.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/input/input_file.h"
#include "formats/format.h"
#include "watch/store/store_journal.h"
#include "watch/store/store_names.h"

static int64_t whole_milliseconds(double seconds)
{
	return (int64_t)llround(seconds * 1000);
}

double span_length(struct span span)
{
	return (double)(whole_milliseconds(span.end) - whole_milliseconds(span.start)) / 1000;
}

/* Whether a span begins at a multiple of its length, as windows of tiers and whole intervals do.
 * Such a file contains all shorter ones within its span. */
static bool span_is_window(struct span span)
{
	int64_t start = whole_milliseconds(span.start),
		length = whole_milliseconds(span.end) - start;

	return length > 0 && start % length == 0;
}

bool span_covers(struct span a, struct span b)
{
	return span_is_window(a) && a.start <= b.start + same_time && a.end >= b.end - same_time &&
	       span_length(a) > span_length(b) + same_time;
}

static int by_time(const void *pa, const void *pb)
{
	const struct kept_interval *a = pa, *b = pb;

	if (fabs(a->span.start - b->span.start) > same_time)
		return a->span.start < b->span.start ? -1 : 1;
	return (a->span.end < b->span.end) - (a->span.end > b->span.end);
}

bool store_files(const char *folder, struct arena *a, struct kept_interval **ret, size_t *ret_n,
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

size_t store_drop_covered(struct kept_interval *k, size_t n)
{
	struct span window = { -HUGE_VAL, -HUGE_VAL }; /* the window so far that ends last */
	size_t left = 0;

	for (size_t i = 0; i < n; i++) {
		if (left > 0 && isfinite(window.end) && span_covers(window, k[i].span))
			continue;
		if (span_is_window(k[i].span) && k[i].span.end > window.end + same_time)
			window = k[i].span;
		k[left++] = k[i];
	}
	return left;
}

bool store_list(const char *folder, struct arena *a, struct kept_interval **ret, size_t *ret_n,
		struct diag *diag)
{
	struct replaced_files replaced = replaced_files(folder, a);
	size_t n, left = 0;

	if (!store_files(folder, a, ret, &n, diag))
		return false;
	for (size_t i = 0; i < n; i++) {
		if (!is_replaced(&replaced, (*ret)[i].path))
			(*ret)[left++] = (*ret)[i];
	}
	*ret_n = store_drop_covered(*ret, left);
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
