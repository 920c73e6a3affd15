/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a line that bcc's tools print is: pure questions about text.  Lines come cleaned, and
 * are parts of the input.
 */
#ifndef FORMATS_BCC_LINE_H
#define FORMATS_BCC_LINE_H

#include "base/scan.h"
#include "profile/builder.h"

/* "usecs : count     distribution"; *ret_blanks: how many lie between the words. */
bool bcc_header(struct str s, struct str *ret_text, size_t *ret_blanks);
/* A row, whole or damaged: in a table whatever begins with a number. */
bool bcc_row(struct str s, bool in_table);
/* "HH:MM:SS", "HH:MM:SS:", "[HH:MM:SS]": seconds of the day. */
bool bcc_stamp(struct str s, double *ret_seconds, bool *ret_bracket);
bool bcc_banner(struct str s); /* "Tracing ...", "Sampling ..." */
/* "key = value"; the value may be empty. */
bool bcc_section(struct str s, struct str *ret_key, struct str *ret_value);
/* What a tool says when it is done, and the prompt it was started from. */
bool bcc_farewell(struct str s);

/* The unit that a header's text states or hints at. */
enum unit bcc_unit(struct str text, enum unit_source *ret_source);

/* Looks through the lines of c: where the open top slot of the libbpf-tool begins
 * that printed them; 0 when it cannot be reported, or has more slots than we know. */
double bcc_top_slot(struct cursor c);

#endif
