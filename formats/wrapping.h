/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What stands around a collector's output that did not go to a file of its own: what a log
 * puts before each line (dmesg, journalctl, syslog, containers, jobs of CI, quotes in a
 * letter), and the lines of the shell that it was copied with.
 *
 * Its lines keep their numbers: those of a shell become blank.
 */
#ifndef FORMATS_WRAPPING_H
#define FORMATS_WRAPPING_H

#include "base/attr.h"
#include "base/filter.h"
#include "formats/log_prefix.h"

enum { WRAPPING_DEPTH = 3 }; /* logs within logs */

/* Which lines are a shell's. */
enum shell_lines {
	SHELL_NONE,
	SHELL_CERTAIN, /* "user@host:~$ ", "Script started on ", "$ " in the first line ... */
	SHELL_LIKELY,  /* also "$ " in any line, "# " in the first */
};

/* What was found around a text: the lines of a shell, and prefixes of logs. */
struct wrapping {
	enum shell_lines shell;
	const struct log_prefix *prefix[WRAPPING_DEPTH]; /* the outermost first */
	size_t n_prefixes;
};

/* Whether the text has lines of a shell of this kind. */
bool wrapping_has_shell(struct str text, enum shell_lines which);
/* One prefix more that all lines of the head bear after those that are known, but for blank
 * ones and those of a shell; false when there is none. */
MUST_CHECK bool wrapping_add(struct wrapping *w, struct str head, enum prefix_strength least);
bool wrapping_is_strong(const struct wrapping *w); /* the innermost */
/* Where lines begin with the k-th of them. */
const char *wrapping_name(const struct wrapping *w, size_t k);
/* Takes it away; the caller frees it, or an input does. */
struct filter *wrapping_filter(const struct wrapping *w);
/* The text without it, at p on the heap. */
struct str wrapping_without(const struct wrapping *w, struct str text);

#endif
