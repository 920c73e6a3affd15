/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files that one merged file replaces, where names do not say that it does: an interval that began
 * in a window and ended after it, or a window that is there already and gets more.
 *
 * The sum is written under a hidden name.  Then the journal is, which names what it replaces.  Then
 * the sum is renamed into place: from this moment on the named files are void.  They are removed,
 * and the journal after them.  Whoever is killed at any point leaves either the files or the sum.
 */
#ifndef WATCH_STORE_JOURNAL_H
#define WATCH_STORE_JOURNAL_H

#include "base/str.h"
#include "watch/store.h"

/* The hidden name of a sum that is to replace files. */
extern const char store_merged_part[];

/* Names of files that are void; borrowed from an arena. */
struct replaced_files {
	const char **name;
	size_t n;
};

/* Those of a folder that somebody was killed in, or is merging in. */
struct replaced_files replaced_files(const char *folder, struct arena *a);
/* Whether the file of this path is one of them. */
bool is_replaced(const struct replaced_files *r, const char *path);

/* Puts the sum, which has its hidden name, into place as `name`, instead of the n files of these
 * paths; one of them may have that name.  False, with errno: nothing has changed but that the sum
 * is gone. */
MUST_CHECK bool store_replace(int folder, const char *name, const struct kept_interval *k,
			      size_t n);
/* Ends what somebody who was killed had begun.  False, with errno, where it could not be: the
 * journal stays, and is to be tried again before the next. */
bool store_journal_finish(int folder);

#endif
