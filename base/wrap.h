/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines that are too long for a terminal, broken where there are blanks. */
#ifndef BASE_WRAP_H
#define BASE_WRAP_H

#include <stddef.h>

#include "base/str.h"

/* Takes the next piece of what is written. */
typedef void wrap_put(void *ctx, struct str piece);

/* Writes the text; a line that takes more than so many columns of a terminal becomes several,
 * all with its indent.  A word that is longer stays whole.  What is between lines and what
 * colours them (SGR sequences) takes no column. */
void wrap_lines(struct str text, size_t columns, wrap_put *put, void *ctx);

#endif
