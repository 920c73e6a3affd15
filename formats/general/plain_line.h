/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a line of a plain dump is: pure questions about text, for
 * formats/general/plain.c alone, whose header specifies them.
 */
#ifndef FORMATS_GENERAL_PLAIN_LINE_H
#define FORMATS_GENERAL_PLAIN_LINE_H

#include "formats/format.h"
#include "formats/general/plain_item.h"

/* *ret_text: what follows the mark; all of s where there is none. */
bool plain_comment(struct str s, struct str *ret_text);

/* What a header line of a plain dump states of all that follows. */
enum plain_header_key { HEADER_UNIT, HEADER_HZ, HEADER_MHZ, HEADER_RESOLUTION, HEADER_NUMBERING };

/* Of a line, or a comment's text, without blanks around it. */
bool plain_header(struct str s, enum plain_header_key *ret, struct str *ret_value);

/* The collector that a word, or any word of a text, names. */
enum numbering plain_collector(struct str word);
enum numbering plain_collector_in(struct str s, struct str *ret_word);
/* Whether a line begins with one's name. */
bool plain_heading(struct str s);

/* Takes "7 1817", "7:1817", "7, 1817", which begin with a digit: a pair. */
bool plain_bucket(struct cursor *c, struct plain_item *ret);
/* Takes the name that a line begins with, and the colon after it. */
bool plain_name(struct cursor *c, struct str *ret);
/* "total 31000000", "ops: 12"; not "total 0 0 0 ...", an operation of that name. */
bool plain_field_line(struct cursor c, enum plain_field *ret, struct str *ret_value);

#endif
