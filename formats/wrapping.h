/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What surrounds a collector's output that was not written to a file of its own: prefixes of log
 * lines (dmesg, journalctl, syslog, containers, CI jobs, quoted e-mails), and lines of the shell
 * session it was copied from.
 *
 * Line numbers stay valid: shell lines become blank lines.
 */
#ifndef FORMATS_WRAPPING_H
#define FORMATS_WRAPPING_H

#include "base/attr.h"
#include "base/input/filter.h"
#include "formats/log_prefix.h"

enum { WRAPPING_DEPTH = 3 }; /* logs within logs */

/* Which lines count as lines of a shell. */
enum shell_lines {
	SHELL_NONE,
	SHELL_CERTAIN, /* "user@host:~$ ", "Script started on ", "$ " in the first line ... */
	SHELL_LIKELY,  /* also "$ " in any line, "# " and the like in the first */
};

/* What surrounds a text: shell lines, and log prefixes. */
struct wrapping {
	enum shell_lines shell;
	const struct log_prefix *prefix[WRAPPING_DEPTH]; /* outermost first */
	size_t n_prefixes;
};

/* Returns whether the text has shell lines of this kind. */
bool wrapping_has_shell(struct str text, enum shell_lines which);
/* Adds one more prefix, at least as strong as `least`, that all lines of the head have after the
 * known ones; blank lines and shell lines need not.  False when there is none. */
MUST_CHECK bool wrapping_add(struct wrapping *w, struct str head, enum prefix_strength min);
bool wrapping_is_strong(const struct wrapping *w); /* the innermost is */
/* Returns the name of prefix k. */
const char *wrapping_name(const struct wrapping *w, size_t k);
/* Returns a filter that strips it all; the caller, or the input it is given to, frees it. */
struct filter *wrapping_filter(const struct wrapping *w);
/* Returns the text with all of it stripped, in memory that the caller frees with free(). */
struct str wrapping_without(const struct wrapping *w, struct str text);

#endif
