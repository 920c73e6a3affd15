/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "watch/store/store_journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/out.h"
#include "watch/store/durable.h"
#include "watch/store/store_names.h"

const char store_merged_part[] = ".osprof-merged.part";
static const char journal[] = ".osprof-merging";
static const char journal_part[] = ".osprof-merging.part";

enum { MAX_JOURNAL = 16 << 20 };

static const char *name_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

/* Whether the sum was renamed into place: until then it replaces nothing. */
static bool is_in_place(int folder)
{
	return faccessat(folder, store_merged_part, F_OK, 0) != 0 && errno == ENOENT;
}

/* Reads the names of intervals in the journal, and ignores any other name. */
static struct replaced_files read_journal(int folder, struct arena *a)
{
	struct replaced_files r = { .n = 0 };
	size_t cap = 0, n = 0;
	char *text, *line;
	struct stat st;
	ssize_t got = 1;
	int fd = openat(folder, journal, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);

	if (fd < 0)
		return r;
	if (fstat(fd, &st) != 0 || st.st_size > MAX_JOURNAL)
		st.st_size = 0;
	text = arena_make(a, char, (size_t)st.st_size + 1);
	while (n < (size_t)st.st_size && (got = read(fd, text + n, (size_t)st.st_size - n)) > 0)
		n += (size_t)got;
	(void)close(fd);
	text[n] = '\0';
	for (line = text; *line != '\0'; line += strlen(line) + 1) {
		struct span span;
		char *end = strchr(line, '\n');

		if (end == NULL)
			break;
		*end = '\0';
		if (!store_name_parse(line, &span))
			continue;
		r.name = arena_grow(a, r.name, &cap, r.n + 1, sizeof(*r.name));
		r.name[r.n++] = line;
	}
	return r;
}

struct replaced_files replaced_files(const char *folder, struct arena *a)
{
	struct replaced_files r = { .n = 0 };
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return r;
	if (is_in_place(fd))
		r = read_journal(fd, a);
	(void)close(fd);
	return r;
}

bool is_replaced(const struct replaced_files *r, const char *path)
{
	for (size_t i = 0; i < r->n; i++) {
		if (strcmp(r->name[i], name_of(path)) == 0)
			return true;
	}
	return false;
}

static bool write_journal(int folder, struct str text)
{
	return durable_write(folder, journal_part, 0666, text) &&
	       renameat(folder, journal_part, folder, journal) == 0 && fsync(folder) == 0;
}

/* Removes the journal, then the sum: a journal without a hidden sum means that the sum is in
 * place. */
static void give_up(int folder)
{
	int why = errno;

	(void)unlinkat(folder, journal_part, 0);
	if ((unlinkat(folder, journal, 0) == 0 || errno == ENOENT) && fsync(folder) == 0)
		(void)unlinkat(folder, store_merged_part, 0);
	errno = why;
}

bool store_journal_finish(int folder)
{
	struct arena *a = arena_new();
	struct replaced_files r;
	bool ok = true;

	if (!is_in_place(folder)) {
		give_up(folder);
		ok = is_in_place(folder);
	} else {
		r = read_journal(folder, a);
		for (size_t i = 0; i < r.n; i++)
			ok &= unlinkat(folder, r.name[i], 0) == 0 || errno == ENOENT;
		ok = ok && (r.n == 0 || fsync(folder) == 0) &&
		     (unlinkat(folder, journal, 0) == 0 || errno == ENOENT);
	}
	arena_free(a);
	return ok;
}

bool store_replace(int folder, const char *name, const struct kept_interval *k, size_t n)
{
	struct out *text = out_to_memory();
	bool ok;

	for (size_t i = 0; i < n; i++) {
		if (strcmp(name_of(k[i].path), name) != 0)
			out_printf(text, "%s\n", name_of(k[i].path));
	}
	ok = write_journal(folder, out_memory(text)) &&
	     renameat(folder, store_merged_part, folder, name) == 0;
	out_free(text);
	if (!ok) {
		give_up(folder);
		return false;
	}
	/* If removing fails, the next process does it; readers ignore these files until then. */
	if (fsync(folder) == 0)
		(void)store_journal_finish(folder);
	return true;
}
