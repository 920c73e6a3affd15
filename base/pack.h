/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bytes in memory, compressed by zstd and back. */
#ifndef BASE_PACK_H
#define BASE_PACK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"
#include "base/str.h"

/* Compresses; *ret is on the heap. */
void pack_zstd(struct str bytes, char **ret, size_t *ret_n);
/* The bytes of one whole frame of zstd, which states that they are `most` at most: nothing is
 * decompressed before.  False: *ret_why says what is wrong.  *ret is on the heap. */
MUST_CHECK bool unpack_zstd(struct str packed, size_t most, char **ret, size_t *ret_n,
			    const char **ret_why);

#endif
