/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Replaces files by their merged file where names alone would not show that it covers them: an
 * interval that begins in a window and ends after it, or a window that exists already and gets
 * more.
 *
 * The merged file is written under a hidden name; then the journal is written, which names the
 * files it replaces; then the merged file is renamed into place, and from then on the named files
 * are void.  They are removed, and the journal after them.  A process that is killed at any point
 * leaves either the files or the merged file valid.
 */
#ifndef WATCH_STORE_STORE_JOURNAL_H
#define WATCH_STORE_STORE_JOURNAL_H

#include "base/str.h"
#include "watch/store/store.h"

/* The hidden name of the merged file. */
extern const char store_merged_part[];

/* Names of void files.  The arrays lie in an arena. */
struct replaced_files {
	const char **name;
	size_t n;
};

/* Returns the void files of a folder in which a process was killed, or is merging now. */
struct replaced_files replaced_files(const char *folder, struct arena *a);
/* Whether the file at this path is void. */
bool is_replaced(const struct replaced_files *r, const char *path);

/* Replaces n files by the hidden merged file, which becomes `name`; one of the n may have that
 * name.  False: see errno; the files are unchanged and the merged file is removed. */
MUST_CHECK bool store_replace(int folder, const char *name, const struct kept_interval *k,
			      size_t n);
/* Finishes the replacement that a killed process began.  False: see errno; the journal stays, and
 * this must be tried again before the next replacement. */
bool store_journal_finish(int folder);

#endif
