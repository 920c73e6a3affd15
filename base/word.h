/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Eight bytes at once: what loops over many bytes are made of. */
#ifndef BASE_WORD_H
#define BASE_WORD_H

#include <stdint.h>
#include <string.h>

enum { WORD_BYTES = sizeof(uint64_t) };

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

/* The first byte that is not zero, of a word that has one. */
static inline unsigned word_first(uint64_t word)
{
	return (unsigned)__builtin_ctzll(word) / 8;
}

/* A bit in the first byte that is zero, and perhaps in others after it; 0 where none is. */
static inline uint64_t word_zeros(uint64_t word)
{
	return (word - UINT64_C(0x0101010101010101)) & ~word & UINT64_C(0x8080808080808080);
}

/* The byte c eight times. */
static inline uint64_t word_each(unsigned char c)
{
	return UINT64_C(0x0101010101010101) * c;
}

#endif
