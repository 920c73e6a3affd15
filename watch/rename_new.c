/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "watch/rename_new.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/platform.h"

int rename_new(int folder, const char *name, const char *new_name)
{
	struct stat st;

	if (platform_rename_new(folder, name, new_name))
		return 0;
	/* Kernels before 3.15 and some file systems, such as NFS, cannot do it. */
	if (errno != EINVAL && errno != ENOSYS)
		return -1;
	/* Not atomic, but one process writes into a folder. */
	if (fstatat(folder, new_name, &st, AT_SYMLINK_NOFOLLOW) == 0) {
		errno = EEXIST;
		return -1;
	}
	return errno == ENOENT ? renameat(folder, name, folder, new_name) : -1;
}
