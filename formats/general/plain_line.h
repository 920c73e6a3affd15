/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Classifies the lines of a plain dump.  For formats/general/plain.c only, whose head specifies the
 * format.
 */
#ifndef FORMATS_GENERAL_PLAIN_LINE_H
#define FORMATS_GENERAL_PLAIN_LINE_H

#include "formats/format.h"
#include "formats/general/plain_item.h"

/* Returns whether s is a comment.  *ret_text: what follows the mark; all of s without one. */
bool plain_comment(struct str s, struct str *ret_text);

/* The settings that a header line of a plain dump makes for all that follows. */
enum plain_header_key { HEADER_UNIT, HEADER_HZ, HEADER_MHZ, HEADER_RESOLUTION, HEADER_NUMBERING };

/* Parses a line, or a comment's text, that has been trimmed. */
bool plain_header(struct str s, enum plain_header_key *ret, struct str *ret_value);

/* Return the collector that a word, or any word of a text, names. */
enum numbering plain_collector(struct str word);
enum numbering plain_collector_in(struct str s, struct str *ret_word);
/* Returns whether a line begins with a collector's name. */
bool plain_heading(struct str s);

/* Takes "7 1817", "7:1817" or "7, 1817", which begin with a digit, as a pair. */
bool plain_bucket(struct cursor *c, struct plain_item *ret);
/* Takes the name at the beginning of a line, and a colon after it. */
bool plain_name(struct cursor *c, struct str *ret);
/* "total 31000000", "ops: 12"; not "total 0 0 0 ...", an operation of that name. */
bool plain_field_line(struct cursor c, enum plain_field *ret, struct str *ret_value);

#endif
