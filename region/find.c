/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Searches /proc, in this order:
 *
 *	/proc/N/fd		`osprof record` itself, and programs that keep the file open
 *	/proc/N/environ		recorded programs, which got the path of the recorder's file
 *	/proc/N/map_files	programs that closed the file; for root only
 *
 * Opening a device or a pipe of the process might block or have side effects: only regular
 * files, memfds included, are opened.
 */
#include "region/find.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/input/input.h"
#include "base/scan.h"
#include "base/xalloc.h"
#include "collect/calls.h"

enum { ROOM = 512, MAX_ENVIRONMENT = 4 << 20 };

struct found {
	char path[ROOM];
	dev_t device;
	ino_t inode;
	unsigned n; /* number of different files found */
};

static bool begins_as_region(const char *path)
{
	static const char magic[8] = "osprof\n";
	char head[sizeof(magic)] = "";
	struct stat st;
	int fd;

	if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
		return false;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return false;
	if (pread(fd, head, sizeof(head), 0) != (ssize_t)sizeof(head))
		head[0] = '\0';
	(void)close(fd);
	return memcmp(head, magic, sizeof(magic)) == 0;
}

static void note_region(struct found *f, const char *path)
{
	struct stat st;

	if (!begins_as_region(path) || stat(path, &st) != 0 ||
	    (f->n > 0 && st.st_dev == f->device && st.st_ino == f->inode))
		return;
	if (f->n++ > 0)
		return;
	(void)snprintf(f->path, sizeof(f->path), "%s", path);
	f->device = st.st_dev;
	f->inode = st.st_ino;
}

/* Searches a folder; false, with errno, when it cannot be read. */
static bool look_through(struct found *f, const char *process, const char *folder)
{
	char path[ROOM];
	struct dirent *e;
	DIR *d;

	(void)snprintf(path, sizeof(path), "/proc/%s/%s", process, folder);
	d = opendir(path);
	if (d == NULL)
		return false;
	while ((e = readdir(d)) != NULL) {
		char file[ROOM + sizeof(e->d_name)];

		(void)snprintf(file, sizeof(file), "%s/%s", path, e->d_name);
		if (strlen(file) < ROOM)
			note_region(f, file);
	}
	(void)closedir(d);
	return true;
}

static bool skip_number(struct str *s)
{
	size_t n = 0;

	while (n < s->n && is_digit(s->p[n]))
		n++;
	*s = str_skip(*s, n);
	return n > 0;
}

static bool skip_text(struct str *s, struct str text)
{
	if (!str_has_prefix(*s, text))
		return false;
	*s = str_skip(*s, text.n);
	return true;
}

/* Whether s is exactly "/proc/N/fd/M": the environment of a program is not trusted. */
static bool is_descriptor(struct str s)
{
	return skip_text(&s, STR("/proc/")) && skip_number(&s) && skip_text(&s, STR("/fd/")) &&
	       skip_number(&s) && s.n == 0;
}

static void look_at_environment(struct found *f, const char *process)
{
	static const char key[] = RECORDING_PROFILE "=";
	char path[ROOM], *text = xcalloc(MAX_ENVIRONMENT + 1, 1);
	size_t n = 0;
	ssize_t got;
	int fd;

	(void)snprintf(path, sizeof(path), "/proc/%s/environ", process);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	while (fd >= 0 && n < MAX_ENVIRONMENT &&
	       (got = read(fd, text + n, MAX_ENVIRONMENT - n)) > 0)
		n += (size_t)got;
	if (fd >= 0)
		(void)close(fd);
	for (const char *at = text; at < text + n; at += strlen(at) + 1) {
		const char *value = at + sizeof(key) - 1;

		if (strncmp(at, key, sizeof(key) - 1) == 0 && is_descriptor(str_from(value)) &&
		    strlen(value) < ROOM)
			note_region(f, value);
	}
	free(text);
}

static void report_none(const char *source, int error, struct diag *diag)
{
	if (error == ENOENT)
		diag_plain(diag, DIAG_REGION_BAD, "%s: no such process", source);
	else if (error == EACCES)
		diag_plain(diag, DIAG_REGION_BAD,
			   "%s: only its user and root may look into this process", source);
	else
		diag_plain(diag, DIAG_REGION_BAD,
			   "%s: it is not recorded, and has no profile of osprof(3) in a file that "
			   "is open; start it by osprof record, or use osprof_new_in()",
			   source);
}

char *region_find(const char *source, struct diag *diag)
{
	const char *process = source + strlen("pid:");
	struct found f = { .n = 0 };
	uint64_t number;
	int error = 0;

	if (number_u64(str_from(process), &number) != NUMBER_OK || number < 1 ||
	    number > INT32_MAX) {
		diag_plain(diag, DIAG_REGION_BAD, "%s: expected pid:NUMBER", source);
		return NULL;
	}
	if (!look_through(&f, process, "fd"))
		error = errno;
	if (f.n == 0 && error == 0)
		look_at_environment(&f, process);
	if (f.n == 0 && error == 0)
		(void)look_through(&f, process, "map_files");
	if (f.n == 0) {
		report_none(source, error, diag);
		return NULL;
	}
	if (f.n > 1) {
		diag_plain(diag, DIAG_REGION_BAD,
			   "%s: it has %u profiles; choose one, as in region:%s", source, f.n,
			   f.path);
		return NULL;
	}
	return xstrdup(f.path);
}
