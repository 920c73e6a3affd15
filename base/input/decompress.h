/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decompression, detected by content.  A file may hold several members (gzip), frames
 * (zstd) or streams (xz) in a row: they are read as one.
 */
#ifndef BASE_INPUT_DECOMPRESS_H
#define BASE_INPUT_DECOMPRESS_H

#include "base/input/filter.h"

enum { DECOMPRESS_HEAD = 6 }; /* bytes that decompressor_for() needs */

/* Returns a decompressor for a file that begins with `head`; NULL: it is not compressed. */
struct filter *decompressor_for(struct str head);

#endif
