/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The text of reports as terminals show it: lines of tables, and how wide lines are. */
#ifndef FORMATS_REPORT_TEXT_H
#define FORMATS_REPORT_TEXT_H

#include <stddef.h>

#include "base/str.h"

enum { REPORT_MAX_LINE = 4096 }; /* bytes; longer lines are of no report */

/* Returns the number of bytes of a line of a table at the beginning of s; 0: there is none. */
size_t report_bar(struct str s);
/* Returns how many columns the text takes. */
size_t report_columns(struct str s);
/* Returns the columns of the widest line of at most `longest` bytes. */
size_t report_widest(struct str bytes, size_t longest);

#endif
