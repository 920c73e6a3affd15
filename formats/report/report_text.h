/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The text of reports as terminals show it: lines of tables, and how wide lines are. */
#ifndef FORMATS_REPORT_REPORT_TEXT_H
#define FORMATS_REPORT_REPORT_TEXT_H

#include <stddef.h>

#include "base/str.h"

enum { REPORT_MAX_LINE = 4096 }; /* bytes; longer lines are of no report */

/* Copies the line without colours, the emphasis of numbers and its end, and with | for lines of
 * tables; returns the number of bytes, at most line.n. */
size_t report_shown(char *to, struct str line);
/* Returns how many columns the text takes. */
size_t report_columns(struct str s);
/* Returns the columns of the widest line of at most `longest` bytes. */
size_t report_widest(struct str bytes, size_t longest);

#endif
