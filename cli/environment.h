/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the environment, and the user, say of how to print. */
#ifndef CLI_ENVIRONMENT_H
#define CLI_ENVIRONMENT_H

#include <stdbool.h>

struct settings;

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
