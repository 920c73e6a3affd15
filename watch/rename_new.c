/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "watch/rename_new.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { NO_REPLACE = 1 }; /* RENAME_NOREPLACE of Linux, which musl before 1.2.6 does not have */

/* Kernels before 3.15 and some file systems, such as NFS, cannot do it. */
static int rename_in_kernel(int folder, const char *name, const char *new_name)
{
#ifdef SYS_renameat2
	return (int)syscall(SYS_renameat2, folder, name, folder, new_name, NO_REPLACE);
#else
	(void)folder, (void)name, (void)new_name;
	errno = ENOSYS;
	return -1;
#endif
}

int rename_new(int folder, const char *name, const char *new_name)
{
	struct stat st;

	if (rename_in_kernel(folder, name, new_name) == 0)
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return -1;
	/* Not atomic, but one process writes into a folder. */
	if (fstatat(folder, new_name, &st, AT_SYMLINK_NOFOLLOW) == 0) {
		errno = EEXIST;
		return -1;
	}
	return errno == ENOENT ? renameat(folder, name, folder, new_name) : -1;
}
