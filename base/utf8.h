/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Encoding and decoding code points, and their width on a terminal. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdint.h>

#include "base/str.h"

enum { UTF8_MAX = 4 }; /* maximum bytes of a code point */

/* Decodes the first code point of s and its length in bytes.  Returns false on invalid
 * UTF-8; callers then skip one byte. */
bool utf8_decode(struct str s, uint32_t *ret_code, size_t *ret_n);
/* Returns the number of bytes written; surrogates are not checked. */
size_t utf8_encode(uint32_t code, char ret[UTF8_MAX]);
size_t utf8_width(uint32_t code); /* columns on a terminal, by the locale */

#endif
