/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Converts UTF-16 and UTF-32, detected by their byte order marks, to UTF-8; Windows shells write
 * UTF-16 when they redirect output.  The mark is removed.
 */
#ifndef BASE_INPUT_ENCODING_H
#define BASE_INPUT_ENCODING_H

#include "base/input/filter.h"

enum { ENCODING_HEAD = 4 }; /* bytes needed by decoder_for() and input_mark() */

/* Returns a decoder for text that begins with `head`; NULL: it has no such mark. */
struct filter *decoder_for(struct str head);

#endif
