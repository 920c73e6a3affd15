/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names of keys, as given by `--names FILE`, for example of system-call numbers.
 * Those of Linux are built in: profile/syscalls.h.
 *
 * A line is a key, blanks, a name; '#' begins a comment line.
 */
#ifndef PROFILE_NAMES_H
#define PROFILE_NAMES_H

#include "base/str.h"

struct diag;
struct input;
struct names;

/* Returns an empty table; names_free() frees it. */
struct names *names_new(void);
/* Adds a key that has no name yet; the key is copied, the name borrowed. */
void names_add(struct names *n, struct str key, struct str name);
/* Reads a file of names, borrowing its bytes.  NULL when an error was reported. */
struct names *names_read(struct input *in, struct diag *diag);
void names_free(struct names *n); /* NULL is fine */

/* Returns the name of key, or key itself if it has none. */
struct str names_find(const struct names *n, struct str key);

#endif
