/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A digest of byte strings (FNV-1a, 64 bits); not safe against an adversary. */
#ifndef BASE_DIGEST_H
#define BASE_DIGEST_H

#include <stddef.h>
#include <stdint.h>

#define DIGEST_START UINT64_C(0xcbf29ce484222325)

/* Returns the digest of the bytes that gave `digest`, followed by n more. */
static inline uint64_t digest_more(uint64_t digest, const void *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		digest = (digest ^ ((const unsigned char *)bytes)[i]) * UINT64_C(0x100000001b3);
	return digest;
}

#endif
