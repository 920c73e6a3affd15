/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Eight bytes at once: what loops over many bytes are made of. */
#ifndef BASE_WORD_H
#define BASE_WORD_H

#include <stdbool.h>
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

/* Ones in the first n bytes, zeros in the others. */
static inline uint64_t word_ones(size_t n)
{
	static const uint64_t ones[WORD_BYTES + 1] = {
		0,
		UINT64_C(0xff),
		UINT64_C(0xffff),
		UINT64_C(0xffffff),
		UINT64_C(0xffffffff),
		UINT64_C(0xffffffffff),
		UINT64_C(0xffffffffffff),
		UINT64_C(0xffffffffffffff),
		UINT64_MAX,
	};

	return ones[n];
}

/* The byte c eight times. */
static inline uint64_t word_each(unsigned char c)
{
	return UINT64_C(0x0101010101010101) * c;
}

/* A bit in each byte that is no digit; *ret becomes the values of those that are one. */
static inline uint64_t word_no_digits(uint64_t word, uint64_t *ret)
{
	uint64_t v = word ^ word_each('0');

	*ret = v;
	return (v | (v + word_each(6))) & word_each(0xf0);
}

/* The number that eight digits are, by their values. */
static inline uint64_t word_value(uint64_t v)
{
	v = (v * 10 + (v >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
	v = (v * 100 + (v >> 16)) & UINT64_C(0x0000ffff0000ffff);
	return (v * 10000 + (v >> 32)) & UINT64_C(0xffffffff);
}

/* How many of the eight bytes, from the first on, are digits; of none *ret is left alone, else it
 * becomes the number that they are. */
static inline unsigned word_digits(uint64_t word, uint64_t *ret)
{
	uint64_t v, others = word_no_digits(word, &v);
	unsigned n = others != 0 ? word_first(others) : WORD_BYTES;

	if (n == 0)
		return 0;
	*ret = word_value(v << 8 * (WORD_BYTES - n)); /* zeros before them */
	return n;
}

/* The number that the first n bytes are, 1 to 8; false where one of them is no digit. */
static inline bool word_first_number(uint64_t word, unsigned n, uint64_t *ret)
{
	const unsigned beyond = 8 * (WORD_BYTES - n);
	uint64_t v, others = word_no_digits(word, &v);

	*ret = word_value(v << beyond);
	return others << beyond == 0;
}

#endif
