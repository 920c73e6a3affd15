/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/out.h"
#include "base/xalloc.h"

static bool report_failed(const char *path, struct diag *diag)
{
	diag_plain(diag, DIAG_OUTPUT_FAILED, "%s: %s", path, strerror(errno));
	return false;
}

static bool report_exists(const char *path, struct diag *diag)
{
	diag_plain(diag, DIAG_OUTPUT_EXISTS, "%s exists; --force replaces it", path);
	return false;
}

static bool is_folder(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool outfile_is_special(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

/* In the same folder, and hidden: if a signal ends the program, the rest is not taken for a run. */
static char *temporary_for(const char *path)
{
	static const char name[] = ".osprof.XXXXXX";
	const char *slash = strrchr(path, '/');
	size_t folder = slash != NULL ? (size_t)(slash + 1 - path) : 0;
	char *temporary = xcalloc(folder + sizeof(name), 1);

	memcpy(temporary, path, folder);
	return strcat(temporary, name);
}

static bool open_special(struct outfile *f, const char *path, struct diag *diag)
{
	f->file = fopen(path, "w");
	if (f->file == NULL)
		return report_failed(path, diag);
	f->out = out_to_file(f->file);
	f->path = xstrdup(path);
	return true;
}

/* Creates a file without a name, of which nothing is left however the program ends.  Returns -1
 * where the file system does not support that. */
static int open_unnamed(const char *temporary)
{
#ifdef O_TMPFILE
	const char *slash = strrchr(temporary, '/');
	char *folder = slash != NULL ? xstrdup(temporary) : xstrdup(".");
	int fd;

	if (slash != NULL)
		folder[slash + 1 - temporary] = '\0';
	/* It gets its name through /proc. */
	fd = access("/proc/self/fd", X_OK) == 0
		     ? open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666)
		     : -1;
	free(folder);
	return fd;
#else
	(void)temporary;
	return -1;
#endif
}

static int open_named(char *temporary)
{
	mode_t mask = umask(0);
	int fd;

	(void)umask(mask);
	fd = mkostemp(temporary, O_CLOEXEC);
	if (fd >= 0)
		(void)fchmod(fd, 0666 & ~mask);
	return fd;
}

static bool open_temporary(struct outfile *f, const char *path, struct diag *diag)
{
	int fd;

	f->path = xstrdup(path);
	f->temporary = temporary_for(path);
	fd = open_unnamed(f->temporary);
	f->unnamed = fd >= 0;
	if (fd < 0)
		fd = open_named(f->temporary);
	if (fd < 0) {
		(void)report_failed(path, diag);
		free(f->path);
		free(f->temporary);
		return false;
	}
	f->file = fdopen(fd, "w");
	f->out = out_to_file(f->file);
	return true;
}

bool outfile_open(struct outfile *ret, const char *path, bool force, struct out *standard,
		  struct diag *diag)
{
	*ret = (struct outfile){ .force = force };
	if (path == NULL || strcmp(path, "-") == 0) {
		ret->out = standard;
		return true;
	}
	if (outfile_is_special(path))
		return open_special(ret, path, diag);
	if (is_folder(path)) {
		errno = EISDIR;
		return report_failed(path, diag);
	}
	if (!force && access(path, F_OK) == 0)
		return report_exists(path, diag);
	return open_temporary(ret, path, diag);
}

/* Gives an unnamed file this name, which must not exist. */
static bool name_file(int fd, const char *name)
{
	char self[40];

	(void)snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
	return linkat(AT_FDCWD, self, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0;
}

/* Gives an unnamed file a temporary name, to be renamed next; only if the program is killed in
 * between, the temporary file is left. */
static bool name_temporarily(struct outfile *f, int fd)
{
	int reserved = mkostemp(f->temporary, O_CLOEXEC);

	if (reserved < 0)
		return false;
	(void)close(reserved);
	(void)unlink(f->temporary);
	f->unnamed = !name_file(fd, f->temporary);
	return !f->unnamed;
}

/* Without --force the name must still not exist: link() does not replace files. */
static bool put_in_place(struct outfile *f, int fd, struct diag *diag)
{
	if (f->unnamed && name_file(fd, f->path))
		return true;
	if (f->unnamed && errno == EEXIST && !f->force)
		return report_exists(f->path, diag);
	if (f->unnamed && !name_temporarily(f, fd))
		return report_failed(f->path, diag);
	if (f->force)
		return rename(f->temporary, f->path) == 0 || report_failed(f->path, diag);
	if (link(f->temporary, f->path) == 0) {
		(void)unlink(f->temporary);
		return true;
	}
	if (errno == EEXIST)
		return report_exists(f->path, diag);
	/* A file system without hard links. */
	return (access(f->path, F_OK) != 0 || report_exists(f->path, diag)) &&
	       (rename(f->temporary, f->path) == 0 || report_failed(f->path, diag));
}

bool outfile_commit(struct outfile *f, struct diag *diag)
{
	bool written;

	if (f->file == NULL)
		return true;
	written = out_close(f->out);
	if (f->temporary != NULL && written && fsync(fileno(f->file)) != 0)
		written = false;
	if (!written)
		(void)report_failed(f->path, diag);
	written = written && (f->temporary == NULL || put_in_place(f, fileno(f->file), diag));
	if (fclose(f->file) != 0 && f->temporary == NULL && written)
		written = report_failed(f->path, diag);
	if (!written && f->temporary != NULL && !f->unnamed)
		(void)unlink(f->temporary);
	free(f->path);
	free(f->temporary);
	return written;
}

bool outfile_close_standard(struct out *standard, struct diag *diag)
{
	return out_close(standard) || report_failed("standard output", diag);
}

void outfile_discard(struct outfile *f)
{
	if (f->file == NULL)
		return;
	out_free(f->out);
	(void)fclose(f->file);
	if (f->temporary != NULL && !f->unnamed)
		(void)unlink(f->temporary);
	free(f->path);
	free(f->temporary);
}

bool outfile_check(const char *path, bool force, struct diag *diag)
{
	struct outfile file;

	if (outfile_is_special(path))
		return true;
	if (!outfile_open(&file, path, force, NULL, diag))
		return false;
	outfile_discard(&file);
	return true;
}

bool outfile_make_folder(const char *path, struct diag *diag)
{
	struct stat st;

	if (mkdir(path, 0777) == 0)
		return true;
	if (errno == EEXIST && stat(path, &st) == 0 && !S_ISDIR(st.st_mode))
		errno = ENOTDIR;
	if (errno == EEXIST)
		return true;
	return report_failed(path, diag);
}
