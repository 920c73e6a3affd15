/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Converts UTF-16, detected by its byte order mark, to UTF-8; Windows shells write it when
 * they redirect output.  The mark is removed.
 */
#ifndef BASE_INPUT_ENCODING_H
#define BASE_INPUT_ENCODING_H

#include "base/input/filter.h"

enum { ENCODING_HEAD = 3 }; /* bytes needed by decoder_for() and input_mark() */

/* Returns a decoder for text that begins with `head`; NULL: it has no UTF-16 byte order mark. */
struct filter *decoder_for(struct str head);

#endif
