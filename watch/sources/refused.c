/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "watch/sources/refused.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/diag.h"
#include "base/out.h"
#include "base/outfile.h"
#include "base/xalloc.h"
#include "watch/sources/frame.h"

static bool has_room(const char *folder, size_t more)
{
	DIR *d = opendir(folder);
	struct dirent *e;
	size_t n = 0, bytes = 0;

	while (d != NULL && (e = readdir(d)) != NULL) {
		struct stat st;

		if (e->d_name[0] == '.' ||
		    fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0)
			continue;
		n++;
		bytes += (size_t)st.st_size;
	}
	if (d != NULL)
		(void)closedir(d);
	return d != NULL && n < MAX_REFUSED && bytes + more <= MAX_REFUSED_BYTES;
}

bool refused_keep(const char *keep, const struct frame *frame, const char *sender, struct str bytes)
{
	struct diag silent = { .emit = NULL };
	size_t room = strlen(keep) + FRAME_NAME + 64;
	char *path = xcalloc(room, 1);
	struct outfile file;
	bool ok;

	(void)snprintf(path, room, "%s/refused", keep);
	(void)mkdir(path, 0777);
	ok = has_room(path, bytes.n);
	(void)snprintf(path, room, "%s/refused/from-%s-%llx-%llu.frame", keep, sender,
		       (unsigned long long)frame->boot, (unsigned long long)frame->seq);
	ok = ok && outfile_open(&file, path, true, NULL, &silent);
	if (ok) {
		out_bytes(file.out, bytes);
		ok = outfile_commit(&file, &silent);
	}
	free(path);
	return ok;
}
