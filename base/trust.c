/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/trust.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"

static bool belongs_to_others(const struct stat *st, enum trust how)
{
	if (how == TRUST_DATA && geteuid() == 0)
		return false;
	return st->st_uid != 0 && st->st_uid != geteuid();
}

/* Returns NULL if nothing is wrong. `level`: 0 for the file, 1 for its folder, and so on. */
static const char *what_is_wrong(const struct stat *st, unsigned level, enum trust how)
{
	bool sticky_helps = level > 1 || (level == 1 && how == TRUST_DATA);

	if (level == 0 && !S_ISREG(st->st_mode))
		return "not a regular file";
	if (belongs_to_others(st, how))
		return "belongs to another user";
	if ((st->st_mode & (S_IWGRP | S_IWOTH)) != 0 &&
	    !(sticky_helps && (st->st_mode & S_ISVTX) != 0))
		return "others may write to it; chmod go-w forbids it";
	return NULL;
}

char *trust_file(const char *path, enum trust how, struct diag *diag)
{
	char *real = realpath(path, NULL), *at = real != NULL ? strdup(real) : NULL, *slash = at;

	if (at == NULL) {
		diag_plain(diag, DIAG_INPUT_UNREADABLE, "%s: %s", path, strerror(errno));
		free(real);
		return NULL;
	}
	for (unsigned level = 0; slash != NULL; level++) {
		const char *wrong;
		struct stat st;

		wrong = lstat(at, &st) != 0 ? strerror(errno) : what_is_wrong(&st, level, how);
		if (wrong != NULL) {
			diag_plain(diag, DIAG_UNTRUSTED, "%s: %s", at, wrong);
			free(at);
			free(real);
			return NULL;
		}
		slash = strcmp(at, "/") != 0 ? strrchr(at, '/') : NULL;
		if (slash != NULL)
			slash[slash == at] = '\0';
	}
	free(at);
	return real;
}
