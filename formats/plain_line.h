/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a line of a plain dump is: pure questions about text, for
 * formats/plain.c alone, whose header specifies them.
 */
#ifndef FORMATS_PLAIN_LINE_H
#define FORMATS_PLAIN_LINE_H

#include "base/scan.h"
#include "formats/format.h"

bool plain_digit(char c);

/* *ret_text: what follows the mark; all of s where there is none. */
bool plain_comment(struct str s, struct str *ret_text);

enum plain_header_key { HEADER_UNIT, HEADER_HZ, HEADER_MHZ, HEADER_RESOLUTION, HEADER_NUMBERING };

bool plain_header(struct str s, enum plain_header_key *ret, struct str *ret_value);

/* The collector that a word, or the first word or any word of a line, names. */
enum numbering plain_collector(struct str word);
enum numbering plain_collector_in(struct str s, bool first_word, struct str *ret_word);

enum plain_field_kind { FIELD_NONE, FIELD_TOTAL, FIELD_COUNT };

enum plain_field_kind plain_field(struct str word);

/* Takes the next field of a row; empty between two commas and behind the last.
 * False at the end. */
bool plain_token(struct cursor *c, struct str *ret);
/* "7:1817", "7=1817", "total:12" */
bool plain_pair(struct str s, struct str *ret_left, struct str *ret_right);
/* Takes the name that a line begins with, and the colon behind it. */
bool plain_name(struct cursor *c, struct str *ret);
/* Takes "7 1817", "7:1817", "7, 1817". */
bool plain_bucket(struct cursor *c, struct str *ret_bucket, struct str *ret_count);
/* "total 31000000", "ops: 12"; not "total 0 0 0 ...", an operation of that name. */
bool plain_field_line(struct cursor c, enum plain_field_kind *ret, struct str *ret_value);

#endif
