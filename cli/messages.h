/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages to standard error, and what the environment says of how to print. */
#ifndef CLI_MESSAGES_H
#define CLI_MESSAGES_H

#include <stdbool.h>

#include "base/diag.h"

struct settings;

/* Of notes the first of each kind is printed; how many more there were is told at the
 * end: a folder of runs has the same to say of each. */
struct messages_out {
	bool quiet;
	struct progress *progress; /* what else is on standard error; may be NULL */
	size_t notes[N_DIAG_CODES];
};

/* A diag_fn; ctx is a struct messages_out. */
void messages_print(void *ctx, const struct diag_msg *msg);
void messages_tell_more_notes(const struct messages_out *m);

/* Columns of what a file descriptor is; 0: no terminal, or one that does not say. */
unsigned terminal_width(int fd);
/* --color, NO_COLOR and TERM. */
bool wants_color(const struct settings *s);
/* Somebody sees on a terminal what goes to standard error, and wants to. */
bool wants_progress(const struct settings *s);
bool wants_unicode(const struct settings *s);
/* Of the terminal that text goes to, and has to fit; 0: it goes elsewhere. */
unsigned wants_width(const struct settings *s);

#endif
