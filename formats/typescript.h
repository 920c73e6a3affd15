/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The text of a terminal session as script(1) records it, without what controls the terminal:
 * escape sequences (ECMA-48), and the CR before or after a line.
 */
#ifndef FORMATS_TYPESCRIPT_H
#define FORMATS_TYPESCRIPT_H

#include "base/filter.h"

/* The first line says so, or the shell tells the terminal to mark what is pasted. */
bool is_typescript(struct str text);
/* The caller frees it, or an input does. */
struct filter *typescript_filter(void);

#endif
