// SPDX-License-Identifier: MIT
/*
 * listdir: lists directories, and all below them, to the end.
 *
 * For the value profile of OSprof (OSDI 2006) section 6.2, figures 7 and 8:
 * the leftmost peak of readdir are calls made past the end of a directory.
 *
 *     listdir DIRECTORY...
 *
 * Prints nothing, skips what it cannot open, and does not follow symbolic
 * links.
 *
 * Invariant: every directory opened is read until getdents64 returns 0, once:
 * there are exactly as many calls past the end as directories.
 */
#include <dirent.h>
#include <err.h>
#include <fcntl.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static void list_folder(int parent, const char *name);

/* Lists the directories among the size bytes of entries. */
static void list_below(int fd, const char *entries, ssize_t size)
{
	const struct dirent64 *entry;

	for (ssize_t at = 0; at < size; at += entry->d_reclen) {
		entry = (const struct dirent64 *)(const void *)(entries + at);
		if (entry->d_type == DT_DIR && strcmp(entry->d_name, ".") != 0 &&
		    strcmp(entry->d_name, "..") != 0)
			list_folder(fd, entry->d_name);
	}
}

static void list_folder(int parent, const char *name)
{
	_Alignas(struct dirent64) char entries[32768];
	int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
	ssize_t size;

	if (fd < 0)
		return;
	/* The system call itself: not every C library has the function, or the same type of entries. */
	while ((size = syscall(SYS_getdents64, fd, entries, sizeof entries)) > 0)
		list_below(fd, entries, size);
	if (size < 0)
		err(1, "getdents64 %s", name);
	close(fd);
}

int main(int argc, char **argv)
{
	if (argc < 2)
		errx(2, "usage: listdir DIRECTORY...");
	prctl(PR_SET_NAME, "wl-listdir");
	for (int i = 1; i < argc; i++)
		list_folder(AT_FDCWD, argv[i]);
	return 0;
}
