/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Code points as bytes, and on a terminal. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdint.h>

#include "base/str.h"

enum { UTF8_MAX = 4 }; /* bytes of a code point */

/* The first code point of s and how many bytes it takes; false on invalid UTF-8
 * (then one byte should be passed over). */
bool utf8_decode(struct str s, uint32_t *ret_code, size_t *ret_n);
/* How many bytes it becomes; surrogates are not looked at. */
size_t utf8_encode(uint32_t code, char ret[UTF8_MAX]);
size_t utf8_width(uint32_t code); /* columns of a terminal, by the locale's widths */

#endif
