/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Breaks lines that are too long for a terminal at blanks. */
#ifndef BASE_WRAP_H
#define BASE_WRAP_H

#include <stddef.h>

#include "base/str.h"

/* Receives the next piece of the output. */
typedef void wrap_put(void *ctx, struct str piece);

/* Writes the text.  A line wider than `columns` becomes several lines with the same indent; a
 * longer word stays whole.  Newlines and colours (SGR sequences) take no column. */
void wrap_lines(struct str text, size_t columns, wrap_put *put, void *ctx);

#endif
