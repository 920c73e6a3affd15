/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Classifies the lines that bcc's tools print.  Lines are parts of the input, after text_content().
 */
#ifndef FORMATS_BCC_LINE_H
#define FORMATS_BCC_LINE_H

#include "base/scan.h"
#include "profile/builder/builder.h"

/* "usecs : count     distribution"; *ret_blanks: the number of blanks between the last two
 * words. */
bool bcc_header(struct str s, struct str *ret_text, size_t *ret_blanks);
/* A row, whole or damaged; in a table, anything that begins with a number. */
bool bcc_row(struct str s, bool in_table);
/* "HH:MM:SS", "HH:MM:SS:", "[HH:MM:SS]", as seconds of the day. */
bool bcc_stamp(struct str s, double *ret_seconds, bool *ret_bracket);
bool bcc_banner(struct str s); /* "Tracing ...", "Sampling ..." */
/* "key = value"; the value may be empty. */
bool bcc_section(struct str s, struct str *ret_key, struct str *ret_value);
/* What a tool prints when it ends, or a shell prompt. */
bool bcc_farewell(struct str s);

/* Returns the unit that a header's text states or suggests. */
enum unit bcc_unit(struct str text, enum unit_source *ret_source);

/* Reads all lines of c.  Returns where the open top slot begins of the libbpf tool that printed
 * them; 0 when the tool is unknown, or a row lies above that slot. */
double bcc_top_slot(struct cursor c);

#endif
