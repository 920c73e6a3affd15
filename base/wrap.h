/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines that are too long for a terminal, broken where there are blanks. */
#ifndef BASE_WRAP_H
#define BASE_WRAP_H

#include <stddef.h>

#include "base/str.h"

struct out;

/* Writes the text; a line that takes more than so many columns of a terminal becomes several,
 * all with its indent.  A word that is longer stays whole.  What is between lines and what
 * colours them (SGR sequences) takes no column. */
void wrap_lines(struct out *to, struct str text, size_t columns);

#endif
