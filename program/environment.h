/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How to print, as chosen by the environment and the user. */
#ifndef PROGRAM_ENVIRONMENT_H
#define PROGRAM_ENVIRONMENT_H

#include <stdbool.h>

struct settings;

/* Whether to use colours: by --color, NO_COLOR and TERM. */
bool wants_color(const struct settings *s);
/* Whether to show progress: standard error is a terminal, and not --quiet. */
bool wants_progress(const struct settings *s);
bool wants_unicode(const struct settings *s);
/* Returns the columns that text must fit: of the terminal, or else what COLUMNS says, or 80. */
unsigned wants_width(void);
/* Whether lines that are too long are wrapped: what reads from a pipe expects whole lines, unless
 * COLUMNS says otherwise. */
bool wraps_lines(void);

#endif
