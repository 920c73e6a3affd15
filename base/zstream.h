/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Streams of zlib whose memory is that of xalloc.h, as zlib would otherwise take its own. */
#ifndef BASE_ZSTREAM_H
#define BASE_ZSTREAM_H

#define ZLIB_CONST
#include <zlib.h>

/* Begins to decompress; window_bits as for inflateInit2(). End it with inflateEnd(). */
void zstream_init(z_stream *ret, int window_bits);

#endif
