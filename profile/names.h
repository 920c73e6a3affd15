/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names for keys: what `--names FILE` gives, such as system-call numbers to names.
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

/* No names; names_free() frees them. */
struct names *names_new(void);
/* A key that has no name yet, which is copied; the name is borrowed. */
void names_add(struct names *n, struct str key, struct str name);
/* Borrows the input's bytes.  NULL when an error was reported. */
struct names *names_read(struct input *in, struct diag *diag);
void names_free(struct names *n); /* NULL is fine */

/* The name of key, or key itself. */
struct str names_find(const struct names *n, struct str key);

#endif
