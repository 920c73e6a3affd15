/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/pack.h"

#include <assert.h>
#include <stdlib.h>
#include <zstd.h>

#include "base/xalloc.h"

void pack_zstd(struct str bytes, char **ret, size_t *ret_n)
{
	size_t room = ZSTD_compressBound(bytes.n);

	*ret = xcalloc(room, 1);
	*ret_n = ZSTD_compress(*ret, room, bytes.p, bytes.n, ZSTD_CLEVEL_DEFAULT);
	assert(!ZSTD_isError(*ret_n));
}

bool unpack_zstd(struct str packed, size_t max, char **ret, size_t *ret_n, const char **ret_why)
{
	unsigned long long n = ZSTD_getFrameContentSize(packed.p, packed.n);
	size_t got;

	*ret_why = "no frame of zstd that states its size";
	if (n == ZSTD_CONTENTSIZE_ERROR || n == ZSTD_CONTENTSIZE_UNKNOWN)
		return false;
	*ret_why = "too large when it is decompressed";
	if (n > max)
		return false;
	*ret_why = "damaged";
	if (ZSTD_findFrameCompressedSize(packed.p, packed.n) != packed.n)
		return false;
	*ret = xcalloc((size_t)n + 1, 1);
	got = ZSTD_decompress(*ret, (size_t)n, packed.p, packed.n);
	if (!ZSTD_isError(got) && got == n) {
		*ret_n = got;
		return true;
	}
	free(*ret);
	*ret = NULL;
	return false;
}
