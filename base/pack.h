/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compresses and decompresses bytes in memory with zstd. */
#ifndef BASE_PACK_H
#define BASE_PACK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"
#include "base/str.h"

/* Compresses; *ret is on the heap. */
void pack_zstd(struct str bytes, char **ret, size_t *ret_n);
/* Decompresses exactly one frame, which must state its size; one of more than `most` bytes is
 * refused before it is decompressed.  *ret is on the heap.  False: *ret_why says what is wrong. */
MUST_CHECK bool unpack_zstd(struct str packed, size_t max, char **ret, size_t *ret_n,
			    const char **ret_why);

#endif
