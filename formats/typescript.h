/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The text of a terminal session as script(1) records it, without escape sequences (ECMA-48) and
 * without the CR before or after a line, and with plain blanks for those of pages, but where they
 * group digits.
 */
#ifndef FORMATS_TYPESCRIPT_H
#define FORMATS_TYPESCRIPT_H

#include <stddef.h>

#include "base/input/filter.h"
#include "base/str.h"

/* Returns whether the first line says so, or a line turns on the terminal's bracketed paste
 * mode. */
bool is_typescript(struct str text);
/* Returns whether the text has sequences that set colours, which a name from a file may have, too.
 */
bool typescript_has_colours(struct str text);
/* Returns whether the text has blanks that ASCII does not have, such as no-break ones. */
bool typescript_has_blanks(struct str text);
/* Returns how many bytes a sequence that sets colours takes at the beginning of s; 0: none. */
size_t typescript_colour(struct str s);
/* The caller, or the input it is given to, frees the filter. */
struct filter *typescript_filter(void);

#endif
