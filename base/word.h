/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Eight bytes at once: what loops over many bytes are made of. */
#ifndef BASE_WORD_H
#define BASE_WORD_H

#include <stdint.h>
#include <string.h>

enum { WORD = sizeof(uint64_t) };

/* The first byte in the lowest bits, on every machine. */
static inline uint64_t word_load(const char *p)
{
	uint64_t word;

	memcpy(&word, p, sizeof(word));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	word = __builtin_bswap64(word);
#endif
	return word;
}

/* The byte c eight times. */
static inline uint64_t word_each(unsigned char c)
{
	return UINT64_C(0x0101010101010101) * c;
}

#endif
