/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The text of a terminal session as script(1) records it, without escape sequences (ECMA-48) and
 * without the CR before or after a line.
 */
#ifndef FORMATS_TYPESCRIPT_H
#define FORMATS_TYPESCRIPT_H

#include "base/filter.h"

/* Returns whether the first line says so, or a line turns on the terminal's bracketed paste
 * mode. */
bool is_typescript(struct str text);
/* The caller, or the input it is given to, frees the filter. */
struct filter *typescript_filter(void);

#endif
